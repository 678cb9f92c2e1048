// Runs `incipit chat` on the real agent, with a clock that stands still: `node test/cli/chat/real.ts '<flags as JSON>'`
// in a workspace. SIGUSR2 lets an hour pass, and what waited for longer than half a minute is due then. With LATER set
// an hour has passed already.
import { IncipitError } from "../../../src/base/error.ts"
import { run } from "../../../src/cli/chat/chat.ts"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"

const HELD_MS = 30_000
const HOUR_MS = 3_600_000

let passed = process.env.LATER === undefined ? 0 : HOUR_MS
const held = new Map<unknown, () => void>()
const { setTimeout: start, clearTimeout: clear } = globalThis

/** A long wait is a real timer that fires earlier, so it can be cleared and unreferenced as usual. */
function startHeld<A extends unknown[]>(work: (...args: A) => void, ms = 0, ...args: A): NodeJS.Timeout {
  const go = () => {
    held.delete(timer)
    work(...args)
  }
  const timer = start(go, ms)
  if (ms >= HELD_MS) held.set(timer, go)
  return timer
}

globalThis.setTimeout = Object.assign(startHeld, start)
globalThis.clearTimeout = (timer) => {
  held.delete(timer)
  clear(timer)
}

process.on("SIGUSR2", () => {
  passed += HOUR_MS
  const due = [...held]
  held.clear()
  for (const [timer, work] of due) {
    // What was cleared is no longer there.
    clear(timer as NodeJS.Timeout)
    work()
  }
})

// A test wrote them.
const flags = JSON.parse(process.argv[2] ?? "{}") as Partial<FlagsOf<"chat">>
const { stdout, stderr, stdin, env } = process

try {
  process.exitCode = await run({
    words: [],
    flags: flagsFor("chat", flags),
    terminal: {
      out: (text) => void stdout.write(text),
      exact: (text) => void stdout.write(text),
      err: (text) => void stderr.write(text),
      drained: async () => {},
      columns: stdout.columns ?? 80,
      colour: stdout.isTTY === true && (env.NO_COLOR ?? "") === "",
      cwd: process.cwd(),
      home: undefined,
      env,
      timeZone: "UTC",
      now: () => Date.UTC(2026, 5, 15, 7) + passed,
      stopped: () => new Promise((done) => process.once("SIGTERM", () => done())),
      streams: { input: stdin, output: stdout },
    },
  })
} catch (error) {
  if (!(error instanceof IncipitError)) throw error
  stderr.write(`${error.message}. ${error.help}\n`)
  process.exitCode = 2
}
