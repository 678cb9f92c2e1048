// The terminal of a process: its streams, made safe to read, and what it knows about the machine.
import { once } from "node:events"
import { homedir } from "node:os"
import { secretsAmong } from "../record/redact/secret-variables.ts"
import { createSecrets } from "../record/redact/secrets.ts"
import { visibleText, visibleView } from "./chat/screen/visible.ts"
import type { Terminal } from "./terminal.ts"

/** What is used of a process. */
export type World = Pick<
  NodeJS.Process,
  "stdin" | "stdout" | "stderr" | "env" | "cwd" | "on" | "off" | "once" | "kill" | "pid" | "platform"
>

export function terminalOf(world: World): Terminal {
  const { stdout, stderr, env, cwd } = world
  const columns = stdout.columns ?? Number.parseInt(env.COLUMNS ?? "", 10)
  const wanted = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0"
  // No output of a command contains a key of its environment.
  const { redact } = createSecrets(secretsAmong(env))
  const unwanted = (env.NO_COLOR ?? "") !== "" || env.TERM === "dumb" || !stdout.isTTY
  const isPainted = wanted || !unwanted
  let timeZone: string | undefined
  return {
    // Output for people must not move the cursor or hide text; files and pipes are read by people later.
    out: (text) => void stdout.write(isPainted ? visibleView(redact(text)) : visibleText(redact(text))),
    err: (text) =>
      void stderr.write(isPainted || stderr.isTTY ? visibleView(redact(text)) : visibleText(redact(text))),
    exact: (text) => void stdout.write(stdout.isTTY ? visibleView(redact(text)) : redact(text)),
    drained: async () => {
      if (stdout.writableNeedDrain) await once(stdout, "drain")
    },
    columns: Math.min(200, Math.max(40, columns > 0 ? columns : 80)),
    colour: isPainted,
    cwd: cwd(),
    home: homedir(),
    env,
    // Evaluated on demand: it loads the tables of all zones, which `--help` does not need.
    get timeZone() {
      timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
      return timeZone
    },
    now: () => Date.now(),
    // Evaluated on demand: accessing stdin opens it.
    get streams() {
      return { input: world.stdin, output: stdout }
    },
    stopped: () =>
      new Promise((done) => {
        const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
        const stop = () => {
          // A second signal, of whichever kind, ends the process at once.
          for (const signal of signals) world.off(signal, stop)
          done()
        }
        for (const signal of signals) world.on(signal, stop)
      }),
    onExit: (work) => void world.once("exit", work),
    ...(world.platform !== "win32" && { suspend: () => void world.kill(world.pid, "SIGTSTP") }),
  }
}
