// `!cmd` runs the user's command and shows it to the model; `!!cmd` does not show it.
import { stripVTControlCharacters } from "node:util"
import type { ShellResult } from "../../../agent/setup/agent.ts"
import { plural } from "../../../base/text/figures.ts"
import { durationText } from "../../../record/ask/log.ts"
import { painter } from "../../views/colour.ts"
import { type ChatContext, type ChatView, sendOptions } from "../chat-context.ts"
import { broken } from "../screen/lines.ts"
import { visibleLines } from "../screen/visible.ts"
import { spaced } from "../tool-line.ts"

export interface UserCommand {
  readonly command: string
  readonly isSent: boolean
}

export function parseUserCommand(text: string): UserCommand | undefined {
  const [, mark, command = ""] = /^(!!?)\s*(\S.*)$/s.exec(text) ?? []
  return mark === undefined ? undefined : { command, isSent: mark === "!" }
}

/** Runs it in the chat's conversation, or begins one. Returns the lines to show. */
export async function runUserCommand(
  chat: ChatContext,
  { command, isSent }: UserCommand,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { planMode, ...who } = sendOptions(chat.talk)
  const result = await chat.agent.shell(command, { ...who, isSent, ...(signal && { signal }) })
  chat.change({ session: result.session, isNew: false })
  return shellLines(result, isSent, chat.view)
}

const MAX_LINES = 200

function shellLines(result: ShellResult, isSent: boolean, view: ChatView): readonly string[] {
  const paint = painter(view)
  const { text, exitCode, durationMs } = result
  const lines = text.trim() === "" ? [] : visibleLines(stripVTControlCharacters(text))
  const left = lines.length - MAX_LINES
  const end = exitCode === null ? "stopped" : `exit ${exitCode}`
  const note = isSent ? "the model sees it with your next message" : "the model does not see it"
  const closing = `${end}, ${spaced(durationText(durationMs))}; ${note}`
  return [
    ...lines.slice(0, MAX_LINES),
    ...(left > 0 ? [paint("dim", plural(left, "more line"))] : []),
    ...broken(paint(exitCode === 0 ? "dim" : "yellow", closing), view.columns),
  ]
}
