// `incipit sandbox shell`: a shell in the sandbox, on the user's own terminal.
import { spawn } from "node:child_process"
import { Readable } from "node:stream"
import { IncipitError } from "../../../base/error.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import { lookAtSandbox } from "./open-sandbox.ts"

export async function shell({ flags, terminal }: Invocation<"sandbox shell">): Promise<number> {
  const looked = lookAtSandbox(flags, terminal)
  try {
    const state = await looked.of("shell")
    for (const text of looked.warnings) terminal.err(`warning: ${text}\n`)
    if (state.kind !== "on")
      throw new IncipitError(
        "sandbox-missing",
        `no sandbox can be set up here: ${state.kind === "missing" ? state.why : "it is off"}`,
      )
    const { program, args, env, release } = await state.launch({
      ...{ argv: ["/bin/sh"], env: { PS1: "sandbox$ " }, directory: looked.directory, hasTerminal: true },
    })
    try {
      return await shellOn(terminal, { program, args, env })
    } finally {
      for (const text of release()) terminal.err(`${text}\n`)
    }
  } finally {
    await looked.boxes.close()
  }
}

interface Started {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** A terminal is passed on as it is, so that the shell edits lines; what is piped goes through this process. */
function shellOn({ streams, out, err }: Terminal, { program, args, env }: Started): Promise<number> {
  const isTerminal = streams?.input.isTTY === true
  const child = spawn(program, args, { cwd: "/", env, stdio: isTerminal ? "inherit" : "pipe" })
  child.stdout?.setEncoding("utf8").on("data", out)
  child.stderr?.setEncoding("utf8").on("data", err)
  // It may leave before it has read everything.
  child.stdin?.on("error", () => {})
  if (child.stdin !== null) (streams?.input ?? Readable.from([])).pipe(child.stdin)
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve(code ?? 1))
  })
}
