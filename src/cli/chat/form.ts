// A form that an MCP server wants filled in: one question for each field, and a last one with all of it before anything
// is sent. What is typed goes to the server only.
import { readValue } from "../../agent/mcp/ask/read-value.ts"
import type { AgentOptions } from "../../agent/setup/agent.ts"
import type { FormField, FormValue, ServerAnswer, ServerForm } from "../../tools/server-question.ts"
import type { Question } from "./approval.ts"
import type { Questions } from "./questions.ts"
import { exact } from "./screen/visible.ts"

/** `changed`: the screen has to be drawn again. */
export function formFiller(
  questions: Pick<Questions, "askText" | "confirm">,
  changed: () => void,
): NonNullable<AgentOptions["fill"]> {
  const shown = <T>(asked: Promise<T>) => {
    changed()
    return asked.finally(changed)
  }
  return (form, by) =>
    filledIn(form, {
      type: (question) => shown(questions.askText(question, by)),
      confirm: (question) => shown(questions.confirm(question, by)),
    })
}

interface FormAsking {
  /** What the person typed; undefined if they declined. */
  readonly type: (question: Question) => Promise<string | undefined>
  readonly confirm: (question: Question) => Promise<boolean>
}

async function filledIn(form: ServerForm, { type, confirm }: FormAsking): Promise<ServerAnswer> {
  const content: Record<string, FormValue> = {}
  for (const [at, field] of form.fields.entries()) {
    let problem: string | undefined
    for (;;) {
      const text = await type(fieldQuestion(form, at, problem))
      if (text === undefined) return { action: "decline" }
      const read = readValue(field, text)
      if (!("problem" in read)) {
        if (read.value !== undefined) content[field.name] = read.value
        break
      }
      problem = read.problem
    }
  }
  return (await confirm(lastQuestion(form, content))) ? { action: "accept", content } : { action: "decline" }
}

/** The server's words come with the first field; the title names the server each time. */
function fieldQuestion(
  { server, message, fields }: ServerForm,
  at: number,
  problem: string | undefined,
): Question {
  const field = fields[at]
  const title = `The MCP server ${exact(server)} asks (${at + 1} of ${fields.length}): ${exact(field?.title ?? "")}`
  const first = at === 0 && message !== "" ? linesOf(message) : []
  return {
    kind: "field",
    title,
    warning: problem,
    body: [...first, ...(field === undefined ? [] : hintLines(field))],
  }
}

function hintLines(field: FormField): Question["body"] {
  const described = field.description === undefined ? [] : linesOf(field.description)
  const options =
    field.kind === "choice"
      ? field.options.map(({ title }, at) => ({ text: `${at + 1}  ${exact(title)}`, style: undefined }))
      : []
  return [...described, ...options, { text: hintOf(field), style: "dim" as const }]
}

function hintOf(field: FormField): string {
  const form = {
    text: field.kind === "text" ? (field.format ?? "text") : "",
    number: field.kind === "number" && field.isWhole ? "a whole number" : "a number",
    "yes-no": "y or n",
    choice:
      field.kind === "choice" && field.isMany ? "numbers of the list, with commas" : "a number of the list",
  }[field.kind]
  if (field.default !== undefined) return `${form}; Enter alone takes ${exact(shownValue(field.default))}`
  return field.isRequired ? form : `${form}; Enter alone leaves it out`
}

function lastQuestion(
  { server, fields }: ServerForm,
  content: Readonly<Record<string, FormValue>>,
): Question {
  const given = fields.filter(({ name }) => content[name] !== undefined)
  const body = given.map(({ name, title }) => ({
    text: `${exact(title)}: ${exact(shownValue(content[name] ?? ""))}`,
    style: undefined,
  }))
  return {
    kind: "question",
    title: `Send this to the MCP server ${exact(server)}?`,
    warning: undefined,
    body: body.length > 0 ? body : [{ text: "nothing is filled in", style: "dim" }],
  }
}

function shownValue(value: FormValue): string {
  if (typeof value === "boolean") return value ? "yes" : "no"
  return typeof value === "object" ? value.join(", ") : String(value)
}

function linesOf(text: string): Question["body"] {
  return text.split(/\r?\n/).map((line) => ({ text: exact(line), style: undefined }))
}
