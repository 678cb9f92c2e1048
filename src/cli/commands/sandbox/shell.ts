// `incipit sandbox shell`: a shell in the sandbox, on the user's own terminal.
import { spawn } from "node:child_process"
import { IncipitError } from "../../../base/error.ts"
import type { Invocation } from "../../command-line/invocation.ts"
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
      return await ended(spawn(program, args, { cwd: "/", env, stdio: "inherit" }))
    } finally {
      for (const text of release()) terminal.err(`${text}\n`)
    }
  } finally {
    await looked.boxes.close()
  }
}

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", (code) => resolve(code ?? 1))
  })
}
