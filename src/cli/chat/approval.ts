// The question before a command or an edit: shows what would be done, with nothing hidden in it, and reads the answer.
// A single letter is never an answer: it may be the start of a message that the user was about to write.
import { plural } from "../../base/text/figures.ts"
import { diffHunks } from "../../base/text/unified-diff.ts"
import type { Approval, ApprovalRequest } from "../../tools/host.ts"
import type { Paint, Style } from "../views/colour.ts"
import { cells, fitCell, wrap } from "../views/widths.ts"
import { chopSpans, paintLine, wrapSpans } from "./screen/styled.ts"
import { exact, hasBlanks, hasHidden } from "./screen/visible.ts"
import { moreText } from "./tool-line.ts"

export interface Question {
  readonly title: string
  readonly warning: string | undefined
  /** The command, or the diff of the edit. */
  readonly body: readonly { readonly text: string; readonly style: Style | undefined }[]
  /** A `field` of a form takes any text as its answer. */
  readonly kind: ApprovalRequest["kind"] | "field"
  /** "Yes to all" covers requests of the same kind and scope. */
  readonly scope?: string
  /** After a yes, all of it stays on the screen: the person needs what it says. */
  readonly isKept?: true
}

export function questionOf({ rule, ...request }: ApprovalRequest): Question {
  const question = plainQuestion(request)
  if (rule === undefined) return question
  const why = `The rule "${exact(rule)}" asks about this.`
  const warning = question.warning === undefined ? why : `${question.warning} ${why}`
  // "Yes to all" of other questions does not answer this one.
  return { ...question, warning, scope: `rule ${rule}` }
}

function plainQuestion(request: ApprovalRequest): Question {
  if (request.kind === "shell") {
    const { command, directory, leaves } = request
    const hidden = warningOf(command, "command")
    const why = leaves === undefined ? undefined : `It leaves the sandbox: ${exact(leaves)}`
    const place = request.isInside ? " and in the sandbox" : leaves === undefined ? "" : " on the host"
    return {
      kind: "shell",
      title: `Run this in ${exact(directory)}${place}?`,
      warning: why !== undefined && hidden !== undefined ? `${why} ${hidden}` : (why ?? hidden),
      // "Yes to all" does not cover leaving.
      ...(leaves !== undefined && { scope: "leaving the sandbox" }),
      body: exactLines(command).map((text, at) => ({
        text: `${at === 0 ? "$" : " "} ${text}`,
        style: undefined,
      })),
    }
  }
  if (request.kind === "schedule") return scheduleQuestion(request)
  if (request.kind === "mcp") return serverQuestion(request)
  if (request.kind === "tool") return toolQuestion(request)
  if (request.kind === "question") return askedByServer(request)
  const { kind, path, before, after, partOf } = request
  const body = differenceLines(before ?? "", after)
  const count = (style: Style) => body.filter((line) => line.style === style).length
  const verb = before === undefined ? "Create" : "Change"
  const whose = GIT_FOLDER.test(path) ? "git runs" : "the agent does"
  const decides = partOf === undefined ? `decides what ${whose}` : `runs as part of ${exact(partOf)}`
  const what = kind === "edit" ? "" : `, which ${decides}`
  return {
    kind,
    title: `${verb} ${exact(path)}${what}? +${count("green")} -${count("red")}`,
    warning: warningOf(addedText(before ?? "", after), "new text"),
    body: body.length > 0 ? body : [{ text: "nothing changes", style: "dim" }],
  }
}

const GIT_FOLDER = /(?:^|\/)\.git(?:\/|$)/i

function scheduleQuestion({
  change,
  cron,
  run,
}: Extract<ApprovalRequest, { readonly kind: "schedule" }>): Question {
  const [verb, style] =
    change === "add" ? (["Schedule", "green"] as const) : (["Stop running", "red"] as const)
  return {
    kind: "schedule",
    title: `${verb} this at ${exact(cron)}?`,
    warning: warningOf(run, "text"),
    body: exactLines(run).map((text) => ({ text, style })),
  }
}

/** The question shows the whole input, since that is what runs. */
function serverQuestion({ server, tool, input, isDestructive }: ServerRequest): Question {
  const may = isDestructive ? "may change or delete things" : "only adds things, according to the server"
  return {
    kind: "mcp",
    scope: JSON.stringify([server, tool]),
    title: `Call ${exact(tool)} on the MCP server ${exact(server)}, which ${may}?`,
    warning: warningOf(input, "input"),
    body: exactLines(input).map((text) => ({ text, style: undefined })),
  }
}

function toolQuestion({ name, input }: Extract<ApprovalRequest, { readonly kind: "tool" }>): Question {
  const text = JSON.stringify(input, undefined, 2) ?? ""
  return {
    kind: "tool",
    scope: name,
    title: `Call ${exact(name)}?`,
    warning: warningOf(text, "input"),
    body: exactLines(text).map((line) => ({ text: line, style: undefined })),
  }
}

/** A server's own question. The host is named apart: the rest of a URL may be long and look like another one. */
function askedByServer({
  server,
  text,
  page,
}: Extract<ApprovalRequest, { readonly kind: "question" }>): Question {
  const said = text === "" ? [] : exactLines(text).map((line) => ({ text: line, style: undefined }))
  const asks = `The MCP server ${exact(server)} asks`
  if (page === undefined)
    return { kind: "question", title: `${asks}:`, warning: warningOf(text, "text"), body: said }
  return {
    kind: "question",
    title: `${asks} you to open a page at ${exact(new URL(page).host)}. Do you want to?`,
    warning: warningOf(text, "text"),
    body: [...said, { text: exact(page), style: "cyan" }],
    isKept: true,
  }
}

type ServerRequest = Extract<ApprovalRequest, { readonly kind: "mcp" }>

/** This many empty lines would push the rest out of sight. */
const EMPTY_LINES = /\n(?:[^\S\n]*\n){4,}/g

/** With nothing hidden in them. */
export function exactLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .replaceAll(EMPTY_LINES, (run) => `\n[${run.split("\n").length - 2} empty lines]\n`)
    .split(/\r?\n/)
    .map(exact)
}

export function warningOf(text: string, what: string): string | undefined {
  const warnings = [
    ...(hasHidden(text) ? [`The ${what} has hidden characters; they are shown escaped.`] : []),
    ...(hasBlanks(text) ? [`The ${what} has long runs of spaces; they are shown as a count.`] : []),
  ]
  return warnings.length === 0 ? undefined : warnings.join(" ")
}

/** Characters that were hidden before are not part of the edit. */
function addedText(before: string, after: string): string {
  const known = new Set(before.split("\n"))
  return after
    .split("\n")
    .filter((line) => !known.has(line))
    .join("\n")
}

function differenceLines(before: string, after: string): Question["body"] {
  return diffHunks(before, after, 2).flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const isMoved = oldStart !== newStart && oldLines > 0 && newLines > 0
    const line = newLines > 0 ? newStart : oldStart
    const place = isMoved ? `line ${line}, was ${oldStart}` : `line ${line}`
    const changed = lines
      .filter((line) => !line.startsWith("\\"))
      .map((line) => ({
        text: line.slice(0, 1) + exact(line.slice(1).replace(/\r$/, "")),
        style: styleOf(line),
      }))
    return [{ text: `@ ${place}`, style: "cyan" as const }, ...changed]
  })
}

function styleOf(line: string): Style {
  if (line.startsWith("+")) return "green"
  return line.startsWith("-") ? "red" : "dim"
}

export interface QuestionView {
  readonly columns: number
  /** The rows available. */
  readonly most: number
  /** A message is being written, which is not an answer. */
  readonly isWriting: boolean
  /** The whole question has been printed, however little of it is on the screen. */
  readonly isSeen: boolean
}

export interface QuestionFrame {
  readonly lines: readonly string[]
  /** Refuses a yes, because part of the question was never on the screen. */
  readonly isLocked: boolean
}

export function questionFrame(question: Question, view: QuestionView, paint: Paint): QuestionFrame {
  const { columns, most, isSeen } = view
  const warning =
    question.warning === undefined ? [] : wrap(question.warning, columns).map((line) => paint("red", line))
  // In a narrow window the keys take more rows.
  const keyRows = Math.max(KEY_ROWS, keyLines(question, { ...view, isLocked: false }, paint).length)
  const room = most - warning.length - keyRows
  const title = folded(titleLines(question, columns, paint), Math.max(2, Math.floor(room / 2)), paint)
  const all = question.body.flatMap(({ text, style }) => chopLines(text, columns - 2, style, paint))
  const body = folded(all, Math.max(2, room - title.lines.length), paint)
  const shown = [...title.lines, ...body.lines.map((line) => `  ${line}`), ...warning]
  // A window may be too small even for that, and then its top is not visible.
  const isCut = title.isCut || body.isCut || shown.length + keyRows > most
  const isLocked = !isSeen && isCut
  return { lines: [...shown, ...keyLines(question, { ...view, isLocked }, paint)], isLocked }
}

const KEY_ROWS = 2

interface Folded {
  readonly lines: readonly string[]
  readonly isCut: boolean
}

/** The start and the end: the last part of a command may matter most. */
function folded(all: readonly string[], most: number, paint: Paint): Folded {
  if (all.length <= most) return { lines: all, isCut: false }
  const kept = Math.max(1, most - 1)
  const head = Math.ceil(kept / 2)
  const note = paint("dim", `… ${plural(all.length - kept, "more line")}, v shows all`)
  return { lines: [...all.slice(0, head), note, ...all.slice(all.length - (kept - head))], isCut: true }
}

/** The whole question, for the lines that scroll away. */
export function questionLines(question: Question, columns: number, paint: Paint): readonly string[] {
  return [
    ...titleLines(question, columns, paint),
    ...question.body
      .flatMap(({ text, style }) => chopLines(text, columns - 2, style, paint))
      .map((line) => `  ${line}`),
  ]
}

/** Never cut: the end of a path identifies the file. */
function titleLines({ title }: Question, columns: number, paint: Paint): readonly string[] {
  return wrapSpans([{ text: title, styles: ["bold"] }], columns).map((line) => paintLine(line, paint))
}

/** Wrapped and never cut: the user must see everything they approve. */
function chopLines(text: string, width: number, style: Style | undefined, paint: Paint): readonly string[] {
  const styles = style === undefined ? [] : [style]
  return chopSpans([{ text, styles }], width).map((line) => paintLine(line, paint))
}

/** What can be approved for the rest of the session. */
const ALL: Readonly<Partial<Record<Question["kind"], string>>> = {
  shell: "all commands",
  edit: "all edits",
  mcp: "all calls to this tool",
  tool: "all calls to this tool",
}

function keyLines(
  { kind }: Question,
  { columns, isWriting, isLocked }: QuestionView & { readonly isLocked: boolean },
  paint: Paint,
): readonly string[] {
  const lines = (text: string) => wrap(text, columns).map((line) => paint("yellow", line))
  if (isWriting) return lines("Enter queues your message, Esc clears it; then you can answer this.")
  if (kind === "field" && !isLocked)
    return lines("Type your answer, then Enter · Esc declines · Ctrl-C stops")
  if (isLocked) return lines("v view all of it first · n no, then Enter · Esc no and stop")
  const all = ALL[kind]
  const long = `y yes · n no${all === undefined ? "" : ` · a ${all} in this session`}, then Enter · Esc no and stop`
  const short = `y yes · n no${all === undefined ? "" : " · a all"} + Enter · Esc stop`
  return lines(cells(long) <= columns ? long : short)
}

export type Answer = Approval | "stop" | "show"

/** The answer in a whole message; undefined if it isn't one. */
export function answerIn(message: string, { kind }: Question): Exclude<Answer, "stop"> | undefined {
  const answer = ANSWERS.get(message.trim().toLowerCase())
  return answer === "always" && ALL[kind] === undefined ? undefined : answer
}

const ANSWERS: ReadonlyMap<string, Exclude<Answer, "stop">> = new Map([
  ["y", "yes"],
  ["yes", "yes"],
  ["n", "no"],
  ["no", "no"],
  ["a", "always"],
  ["all", "always"],
  ["v", "show"],
])

/** The line that stays on the screen after the answer. */
export function answeredLine(question: Question, answer: Answer, columns: number, paint: Paint): string {
  const what =
    question.kind === "shell"
      ? `${question.body[0]?.text ?? ""}${moreText(question.body.length - 1)}`
      : lowerFirst(question.title.replace(/\?(?: [+\d -]*)?$/, ""))
  const always = `allowed, with ${ALL[question.kind]} in this session`
  const said = { yes: "allowed", always, no: "refused", stop: "refused", show: "" }[answer]
  const text = `${said}: ${what}`
  const isYes = answer === "yes" || answer === "always"
  return paint(isYes ? "dim" : "yellow", fitCell(text, Math.min(columns, cells(text))))
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
