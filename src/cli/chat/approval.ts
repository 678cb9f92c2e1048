// The question before a command or an edit: what would be done, with nothing in it that hides, and the keys that answer.
import { structuredPatch } from "diff"
import type { Approval, ApprovalRequest } from "../../tools/host.ts"
import { cells, fitCell, type Paint, plural, type Style } from "../terminal.ts"
import { nameOf } from "./edit.ts"
import type { Key } from "./keys.ts"
import { chopSpans, paintLine, wrapSpans } from "./styled.ts"
import { exact, hasHidden } from "./visible.ts"

export interface Question {
  readonly title: string
  readonly warning: string | undefined
  /** The command, or the difference that the edit makes. */
  readonly body: readonly { readonly text: string; readonly style: Style | undefined }[]
  readonly kind: ApprovalRequest["kind"]
}

export function questionOf(request: ApprovalRequest): Question {
  if (request.kind === "shell") {
    const { command, directory } = request
    return {
      kind: "shell",
      title: `Run this in ${exact(directory)}?`,
      warning: warningOf(command, "command"),
      body: command
        .trimEnd()
        .split(/\r?\n/)
        .map((text, at) => ({
          text: `${at === 0 ? "$" : " "} ${exact(text)}`,
          style: undefined,
        })),
    }
  }
  if (request.kind === "schedule") return scheduleQuestion(request)
  const { kind, path, before, after } = request
  const body = differenceLines(before ?? "", after)
  const count = (style: Style) => body.filter((line) => line.style === style).length
  const verb = before === undefined ? "Write the new file" : "Change"
  const what = kind === "edit" ? "" : ", which decides what the agent does"
  return {
    kind,
    title: `${verb} ${exact(path)}${what}? +${count("green")} -${count("red")}`,
    warning: warningOf(addedText(before ?? "", after), "new text"),
    body: body.length > 0 ? body : [{ text: "nothing changes", style: "dim" }],
  }
}

function scheduleQuestion({
  change,
  cron,
  run,
}: Extract<ApprovalRequest, { readonly kind: "schedule" }>): Question {
  const [verb, style] =
    change === "add" ? (["Schedule", "green"] as const) : (["No longer do", "red"] as const)
  return {
    kind: "schedule",
    title: `${verb} this at ${exact(cron)}?`,
    warning: warningOf(run, "text"),
    body: run
      .trimEnd()
      .split(/\r?\n/)
      .map((text) => ({ text: exact(text), style })),
  }
}

function warningOf(text: string, what: string): string | undefined {
  return hasHidden(text) ? `The ${what} has hidden characters; they are shown escaped.` : undefined
}

/** What was hidden before is not the edit's doing. */
function addedText(before: string, after: string): string {
  const known = new Set(before.split("\n"))
  return after
    .split("\n")
    .filter((line) => !known.has(line))
    .join("\n")
}

function differenceLines(before: string, after: string): Question["body"] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 2 })
  return hunks.flatMap(({ oldStart, newStart, lines }) => {
    const place = oldStart === newStart ? `line ${newStart}` : `line ${newStart}, was ${oldStart}`
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
  /** Lines of the body that there is room for. */
  readonly most: number
  /** Somebody is writing: the keys are theirs until they turn to the question. */
  readonly isHeld: boolean
}

export function questionLines(question: Question, view: QuestionView, paint: Paint): readonly string[] {
  const { columns } = view
  const title = titleLines(question, columns, paint)
  const most = Math.max(1, view.most + 1 - title.length)
  const all = question.body.flatMap(({ text, style }) => broken(text, columns - 2, style, paint))
  const shown = all.length > most ? all.slice(0, Math.max(1, most - 1)) : all
  const left = all.length - shown.length
  return [
    ...title,
    ...shown.map((line) => `  ${line}`),
    ...(left > 0 ? [paint("dim", `  … ${plural(left, "more line")}, v shows all`)] : []),
    ...(question.warning === undefined ? [] : broken(question.warning, columns, "red", paint)),
    ...(view.isHeld
      ? broken("Tab answers; until then what you type goes on below.", columns, "yellow", paint)
      : keysText(question.kind, columns, paint)),
  ]
}

/** All of it, for the lines that scroll away. */
export function wholeQuestion(question: Question, columns: number, paint: Paint): readonly string[] {
  return [
    ...titleLines(question, columns, paint),
    ...question.body
      .flatMap(({ text, style }) => broken(text, columns - 2, style, paint))
      .map((line) => `  ${line}`),
  ]
}

/** All of it, too: the end of a path says which file it is. */
function titleLines({ title }: Question, columns: number, paint: Paint): readonly string[] {
  return wrapSpans([{ text: title, styles: ["bold"] }], columns).map((line) => paintLine(line, paint))
}

/** Broken and not cut: what is agreed to must be seen to its end. */
function broken(text: string, width: number, style: Style | undefined, paint: Paint): readonly string[] {
  const styles = style === undefined ? [] : [style]
  return chopSpans([{ text, styles }], width).map((line) => paintLine(line, paint))
}

/** What can be agreed to for the rest of the session. */
const ALL: Readonly<Partial<Record<ApprovalRequest["kind"], string>>> = {
  shell: "all commands",
  edit: "all edits",
}

function keysText(kind: ApprovalRequest["kind"], columns: number, paint: Paint): readonly string[] {
  if (ALL[kind] === undefined) return [paint("yellow", "y yes · n no · Esc no, and stop")]
  const long = `y yes · n no · a ${ALL[kind]} of this session · Esc no, and stop`
  const short = `y yes · n no · a all · Esc stop`
  return [paint("yellow", cells(long) <= columns ? long : short)]
}

export type Answer = Approval | "stop" | "show"

/** Nothing for a key that is no answer to this question. */
export function answerOf(key: Key, { kind }: Question): Answer | undefined {
  if (key.kind === "paste") return undefined
  const answer = ANSWERS[key.kind === "text" ? key.text.toLowerCase() : nameOf(key)]
  return answer === "always" && ALL[kind] === undefined ? undefined : answer
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  y: "yes",
  n: "no",
  a: "always",
  v: "show",
  escape: "stop",
  "ctrl-c": "stop",
}

/** What stays on the screen of a question that was answered. */
export function answeredLine(question: Question, answer: Answer, columns: number, paint: Paint): string {
  const what =
    question.kind === "shell"
      ? (question.body[0]?.text ?? "")
      : lowered(question.title.replace(/\? [+\d -]*$/, ""))
  const always = `allowed, as ${ALL[question.kind]} of this session are now`
  const said = { yes: "allowed", always, no: "refused", stop: "refused", show: "" }[answer]
  const text = `${said}: ${what}`
  const isYes = answer === "yes" || answer === "always"
  return paint(isYes ? "dim" : "yellow", fitCell(text, Math.min(columns, cells(text))))
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
