// Runs a command that the user typed, as the shell tool would but without asking, and adds it to the conversation. The
// model sees `!cmd` with the next message, but not `!!cmd`.
import { stripVTControlCharacters } from "node:util"
import { defined } from "../../../base/defined.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { runCommand } from "../../../tools/agent/run-command.ts"
import { withoutSecrets } from "../../../tools/agent/shell-env.ts"
import { boundedOutput } from "../../../tools/bounded-output.ts"
import { sessionFor } from "../../inbox/receive.ts"
import type { ShellOptions, ShellResult } from "../../setup/agent.ts"
import type { Services } from "../../setup/services.ts"
import { NEVER_STOPPED } from "../never-stopped.ts"

const TIMEOUT_MS = 3_600_000
const MOST_TOKENS = 4_000

export async function userCommand(
  services: Pick<Services, "store" | "people" | "clock" | "secrets" | "workspace">,
  command: string,
  options: ShellOptions,
): Promise<ShellResult> {
  const { store, clock, secrets, workspace } = services
  const { isSent, signal = NEVER_STOPPED, session: wanted, isNew, ...from } = options
  const { session: found } = await sessionFor(services, from, defined({ session: wanted, isNew }))
  const session = found.id
  const start = clock.now()
  const output = boundedOutput(secrets.redact)
  const exitCode = await exitOf(
    runCommand({
      ...{ command, directory: workspace.directory, signal, timeoutMs: TIMEOUT_MS },
      env: withoutSecrets(workspace.env),
      print: output.add,
    }),
    signal,
  )
  const text = secrets.redact(stripVTControlCharacters(output.text(MOST_TOKENS, o200k)))
  const item = {
    kind: "shell",
    command: secrets.redact(command),
    output: text,
    exitCode,
    isSent,
  } as const
  await store.transcripts.add(session, item)
  return { session, text, exitCode, durationMs: Math.max(0, clock.now() - start) }
}

/** Null for a stopped command: its output up to then still counts. */
async function exitOf(end: ReturnType<typeof runCommand>, signal: AbortSignal): Promise<number | null> {
  try {
    return (await end).code ?? null
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}
