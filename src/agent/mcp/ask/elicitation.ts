// A server's questions to the person, during a call: a form to fill in, or a page to open. Checks what is asked before
// anybody sees it; where nobody can be asked, the answer is no.
import { isRecord } from "../../../base/is-record.ts"
import type { ServerAnswer, ServerQuestion } from "../../../tools/server-question.ts"
import { cleanText } from "../text.ts"
import type { Callers } from "./callers.ts"
import { formFields } from "./form-fields.ts"

export interface ElicitationOptions {
  readonly server: string
  readonly callers: Callers
  /** Hears why a question was declined without asking. */
  readonly declined: (why: string) => void
}

const MOST_MESSAGE = 2_000
const MOST_URL = 4_000
const DECLINE: ServerAnswer = { action: "decline" }

/** Answers `elicitation/create`; `params` as the server sent them. */
export async function answerServer(params: unknown, options: ElicitationOptions): Promise<ServerAnswer> {
  const question = questionOf(params, options.server)
  if ("problem" in question) {
    options.declined(`asked a question that was declined: ${question.problem}`)
    return DECLINE
  }
  const caller = options.callers.current()
  if (caller === undefined) {
    options.declined("asked a question that was declined: it is not clear whose call it is about")
    return { action: "cancel" }
  }
  return caller.ask(question)
}

function questionOf(params: unknown, server: string): ServerQuestion | { readonly problem: string } {
  const { mode = "form", message, url, requestedSchema } = isRecord(params) ? params : {}
  const said = wordsOf(message)
  if (mode === "url") {
    const problem = problemOf(url)
    return problem === undefined ? { kind: "page", server, message: said, url: String(url) } : { problem }
  }
  if (mode !== "form") return { problem: "it is of an unknown kind" }
  const read = formFields(requestedSchema)
  if ("problem" in read) return { problem: `its form ${read.problem}` }
  return { kind: "form", server, message: said, fields: read.fields }
}

function wordsOf(message: unknown): string {
  const text = typeof message === "string" ? message : ""
  const cut = text.length > MOST_MESSAGE ? `${text.slice(0, MOST_MESSAGE)}...` : text
  return cleanText(cut, "").text.trim()
}

/** A browser may be told to open it, so only what a browser opens as a page. */
function problemOf(url: unknown): string | undefined {
  if (typeof url !== "string" || url.length > MOST_URL || !URL.canParse(url))
    return "its page has no valid URL"
  const { protocol, hostname, username, password } = new URL(url)
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname)
  if (protocol !== "https:" && !(protocol === "http:" && isHere)) return "its page is not https"
  // `https://bank.example@elsewhere.example` looks like another host.
  return username !== "" || password !== "" ? "the URL of its page has a user name in it" : undefined
}
