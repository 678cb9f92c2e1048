// Approvals by buttons. A press counts only if it comes from the person who was asked, while the question is open. Open
// questions live in this process: after a crash the turn asks again, and old buttons say that they have expired.
import { randomBytes } from "node:crypto"
import { escapeHidden } from "../../../record/ask/log.ts"
import type { Approval, ApprovalRequest } from "../../../tools/host.ts"
import type { ChannelQuestion } from "../channel.ts"
import { type BotApi, isObject } from "./bot-api.ts"
import type { ButtonPress } from "./update.ts"

export interface Buttons {
  ask(question: ChannelQuestion): Promise<Approval>
  press(press: ButtonPress): Promise<void>
}

interface OpenQuestion {
  readonly chat: string
  readonly answer: (answer: Approval) => void
}

const CHOICES: Readonly<Record<string, readonly [label: string, answer: Approval, done: string]>> = {
  y: ["Allow once", "yes", "Allowed."],
  n: ["Refuse", "no", "Refused."],
}

export function createButtons(api: BotApi): Buttons {
  const open = new Map<string, OpenQuestion>()
  return {
    async ask({ to, request, from, signal }) {
      const key = randomBytes(12).toString("base64url")
      const chat = to.slice(to.indexOf(":") + 1)
      const text = questionText(request, from)
      if (signal.aborted) return "no"
      if (text === undefined) return tooLong(api, chat)
      const { promise, resolve } = Promise.withResolvers<Approval>()
      const expire = () => resolve("no")
      signal.addEventListener("abort", expire, { once: true })
      // Before the message is sent: the answer to it may be faster than the answer to the call.
      open.set(key, { chat, answer: resolve })
      try {
        const asked = await api.call<unknown>("sendMessage", {
          ...{ chat_id: chat, text, reply_markup: keyboard(key) },
        })
        const said = await promise
        await api
          .call("editMessageText", {
            chat_id: chat,
            ...idOf(asked),
            text: `${text}\n\n${doneText(said, signal)}`,
          })
          .catch(() => {})
        return said
      } catch {
        // Not asked, so not allowed.
        return "no"
      } finally {
        open.delete(key)
        signal.removeEventListener("abort", expire)
      }
    },
    async press({ id, from, data }) {
      const [key = "", choice = ""] = data.split(".")
      const question = open.get(key)
      const chosen = Object.hasOwn(CHOICES, choice) ? CHOICES[choice] : undefined
      const isTheirs = question?.chat === String(from)
      if (isTheirs && chosen !== undefined) question?.answer(chosen[1])
      // The same words for another person's question as for one that is over.
      const text = isTheirs && chosen !== undefined ? chosen[2] : "This question has expired."
      await api.call("answerCallbackQuery", { callback_query_id: id, text }).catch(() => {})
    },
  }
}

/** Nobody should allow what they cannot read. */
async function tooLong(api: BotApi, chat: string): Promise<Approval> {
  const text = "The agent asked for an approval that is too long to show here, so it was refused."
  await api.call("sendMessage", { chat_id: chat, text }).catch(() => {})
  return "no"
}

function keyboard(key: string) {
  const row = Object.entries(CHOICES).map(([choice, [text]]) => ({ text, callback_data: `${key}.${choice}` }))
  return { inline_keyboard: [row] }
}

function doneText(said: Approval, signal: AbortSignal): string {
  if (isTimeout(signal.reason)) return "Expired, so refused."
  // Somebody else may have allowed it, so this must not say that it was refused.
  if (signal.aborted) return "Closed: it was answered elsewhere, or the turn was stopped."
  return said === "no" ? "Refused." : "Allowed."
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError"
}

function idOf(sent: unknown): { readonly message_id?: unknown } {
  return isObject(sent) ? { message_id: sent.message_id } : {}
}

/** What fits into one message, with the words around it. */
const LONGEST = 3_800

/** Shows all of what is approved; undefined if it is too long for that. */
function questionText(request: ApprovalRequest, from: string): string | undefined {
  const { title, body } = wordsOf(request)
  const why = request.rule === undefined ? "" : ` The rule "${request.rule}" asks about this.`
  // What cannot be seen could make a command look like another one.
  const text = `${title}\n\n${body}\n\nAsked by ${from}.${why} Allow it?`
    .split("\n")
    .map(escapeHidden)
    .join("\n")
  return text.length > LONGEST ? undefined : text
}

function wordsOf(request: ApprovalRequest): { readonly title: string; readonly body: string } {
  switch (request.kind) {
    case "shell":
      return {
        title:
          request.leaves === undefined
            ? `Run a command in ${request.directory}${request.isInside ? ", in the sandbox" : ""}:`
            : `Run a command on the host, in ${request.directory}, outside of the sandbox (${request.leaves}):`,
        body: request.command,
      }
    case "edit":
    case "instructions":
      return {
        title: `${request.before === undefined ? "Create" : "Change"} ${request.path}:`,
        body: request.after,
      }
    case "schedule":
      return { title: `Schedule: ${request.change} ${request.cron}`, body: request.run }
    case "mcp":
      return { title: `Call ${request.tool} of ${request.server}:`, body: request.input }
    case "question": {
      const { server, text, page } = request
      if (page === undefined) return { title: `The MCP server ${server} asks:`, body: text }
      const title = `The MCP server ${server} asks you to open a page at ${new URL(page).host}:`
      return { title, body: `${page}\n\n${text}` }
    }
    case "tool":
      return { title: `Call ${request.name}:`, body: JSON.stringify(request.input, undefined, 2) ?? "" }
  }
}
