// `shell`: runs a command after approval, and returns how it ended and both ends of its output.
import { stripVTControlCharacters } from "node:util"
import { SHELL } from "../../profiles/incipit/tools/agent.ts"
import { type ActingContext, acting } from "../acting.ts"
import { boundedOutput } from "../bounded-output.ts"
import { defineTool } from "../define-tool.ts"
import { refuseRedacted } from "../files/change-file.ts"
import { roomIn } from "../fit-lines.ts"
import { ToolFailure } from "../host.ts"
import { requireApproval } from "../require-approval.ts"
import type { ToolInput } from "../tool-input.ts"
import { type CommandEnd, runCommand } from "./run-command.ts"
import { withoutSecrets } from "./shell-env.ts"

const DEFAULT_SECONDS = 120

export const shellTool = defineTool({
  ...SHELL,
  asksFirst: true,
  run: (given, context) => run(given, acting(context)),
})

async function run(
  { command, timeoutSeconds = DEFAULT_SECONDS }: ToolInput<typeof SHELL.parameters>,
  context: ActingContext,
): Promise<string> {
  const { host, counter } = context
  refuseRedacted(command)
  if (command.includes("\0")) throw new ToolFailure("The command has a NUL character.")
  const { directory } = host.files
  await requireApproval(host, { kind: "shell", command, directory }, "The command was not approved.")
  const output = boundedOutput(host.redact)
  const end = await runCommand({
    ...{ command, directory, signal: host.signal },
    env: withoutSecrets(host.env),
    timeoutMs: timeoutSeconds * 1_000,
    print: output.add,
  })
  const printed = stripVTControlCharacters(output.text(roomIn(context), counter))
  const lines = [endText(end, timeoutSeconds), ...(printed === "" ? [] : [printed]), ...noteOf(end)]
  return lines.join("\n")
}

/** Whether a `shell` result reports a failed command. For the model, it is an ordinary result. */
export function isFailedCommand(answer: string): boolean {
  return /^(?:exit code [1-9]|ended by |stopped after )/.test(answer)
}

function endText({ code, signal, isLate }: CommandEnd, seconds: number): string {
  if (isLate) return `stopped after ${seconds} ${seconds === 1 ? "second" : "seconds"}`
  return code === undefined ? `ended by ${signal}` : `exit code ${code}`
}

function noteOf({ isRunning }: CommandEnd): readonly string[] {
  return isRunning ? ["[a process that it started is still running; its further output is lost]"] : []
}
