// Asks a sandbox something by a command, for proofs.
import type { Sandbox } from "../sandbox-state.ts"

const LIMIT_MS = 60_000

/** What the command prints, without white space around it. */
export async function answer(sandbox: Sandbox, command: string): Promise<string> {
  let text = ""
  await sandbox.run({
    command,
    timeoutMs: LIMIT_MS,
    signal: new AbortController().signal,
    print: (more) => {
      text += more
    },
  })
  return text.trim()
}

/** For the inside of single quotes. */
export function quoted(text: string): string {
  return text.replaceAll("'", "'\\''")
}
