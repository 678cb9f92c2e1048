// `shell`: runs a command after approval, and returns how it ended and both ends of its output.
import { stripVTControlCharacters } from "node:util"
import { defined } from "../../base/defined.ts"
import { SANDBOXED_SHELL, SHELL } from "../../profiles/incipit/tools/agent.ts"
import { type ActingContext, acting } from "../acting.ts"
import { boundedOutput } from "../bounded-output.ts"
import type { CommandEnd } from "../command-place.ts"
import { defineTool, type RunnableTool } from "../define-tool.ts"
import { refuseRedacted } from "../files/change-file.ts"
import { roomIn } from "../fit-lines.ts"
import { ToolFailure } from "../host.ts"
import { requireApproval } from "../require-approval.ts"
import type { ToolInput } from "../tool-input.ts"
import { runCommand } from "./run-command.ts"
import { withoutSecrets } from "./shell-env.ts"

const DEFAULT_SECONDS = 120

/** The definition says more in a session whose commands run in a sandbox; any session may send its input. */
export const shellTool: RunnableTool = {
  ...defineTool({
    ...SANDBOXED_SHELL,
    asksFirst: true,
    run: (given, context) => run(given, acting(context)),
  }),
  description: SHELL.description,
  parameters: SHELL.parameters,
}

async function run(
  { command, timeoutSeconds = DEFAULT_SECONDS, host: leaves }: ToolInput<typeof SANDBOXED_SHELL.parameters>,
  context: ActingContext,
): Promise<string> {
  const { host, counter } = context
  refuseRedacted(command)
  if (command.includes("\0")) throw new ToolFailure("The command has a NUL character.")
  const { directory } = host.files
  const place = (await host.place?.()) ?? { kind: "host" }
  if (place.kind === "refused")
    throw new ToolFailure("Not run: there is no sandbox here.", { detail: place.why })
  const inside = place.kind === "sandbox" && leaves === undefined ? place : undefined
  const where = inside ? { isInside: true } : defined({ leaves: place.kind === "host" ? undefined : leaves })
  await requireApproval(
    host,
    { kind: "shell", command, directory, ...where },
    "The command was not approved.",
  )
  const output = boundedOutput(host.redact)
  const placed = { command, signal: host.signal, timeoutMs: timeoutSeconds * 1_000, print: output.add }
  const end = inside
    ? await inside.run(placed)
    : { ...(await runCommand({ ...placed, directory, env: withoutSecrets(host.env) })), notes: [] }
  const printed = stripVTControlCharacters(output.text(roomIn(context), counter))
  const lines = [
    endText(end, timeoutSeconds),
    ...(printed === "" ? [] : [printed]),
    ...noteOf(end),
    ...end.notes,
  ]
  return lines.join("\n")
}

/** Whether a `shell` result reports a failed command. For the model, it is an ordinary result. */
export function isFailedCommand(answer: string): boolean {
  return /^(?:exit code [1-9]|ended by |stopped after )/.test(answer)
}

function endText({ code, signal, isLate, isTooLong }: CommandEnd, seconds: number): string {
  if (isTooLong) return "stopped after too much output"
  if (isLate) return `stopped after ${seconds} ${seconds === 1 ? "second" : "seconds"}`
  return code === undefined ? `ended by ${signal}` : `exit code ${code}`
}

function noteOf({ isRunning }: CommandEnd): readonly string[] {
  return isRunning ? ["[a process that it started is still running; its further output is lost]"] : []
}
