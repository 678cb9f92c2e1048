// Formats the values of an agent's JSON files for the `nova` profile. Every text keeps the line of its value.
import type { Trust } from "../../base/trust.ts"
import type { Content, TextPart } from "../../core/model/content.ts"
import { sessionInput, turnInput } from "../../core/model/section-input.ts"
import { fromValue, type SourceFile } from "../../core/model/source.ts"
import { escapeAttribute, neutralise, tags } from "../../core/write/markup.ts"
import { calendarOf, oneLine, pad } from "../parts.ts"
import { DIRECTORIES_NOTE, TASK_FOCUS } from "./text.ts"

/** Makes a part from a value's text; the keys say where the value is in its file. */
type Quote = (keys: readonly PropertyKey[], text: string) => TextPart

/** A field of the file, if it is non-empty text. */
export function fieldContent(file: SourceFile | undefined, name: string): Content | undefined {
  const text = textIn(file?.fields, name)
  return file === undefined || text === undefined ? undefined : { parts: [quoteFrom(file)([name], text)] }
}

export function responsibilitiesContent(file: SourceFile | undefined): Content | undefined {
  if (file === undefined) return undefined
  const quote = quoteFrom(file)
  const parts = listOf(file.fields.responsibilities).flatMap((item, at): TextPart[] => {
    const [title, content] = [textIn(item, "title"), textIn(item, "content")]
    if (title === undefined || content === undefined) return []
    const keys = ["responsibilities", at]
    return [
      quote([...keys, "title"], `<Responsibility title="${escapeAttribute(title)}">\n    `),
      quote([...keys, "content"], neutralise(tags, content, { id: "Responsibility" })),
      // The envelope has the first indent; each element ends with the indent of the next.
      quote(keys, "\n  </Responsibility>\n  "),
    ]
  })
  return contentOf(parts)
}

export function directoriesContent(file: SourceFile | undefined): Content | undefined {
  if (file === undefined) return undefined
  const quote = quoteFrom(file)
  const cwd = textIn(file.fields, "cwd")
  const directories = listOf(file.fields.directories).flatMap((path, at) =>
    typeof path === "string" && path.trim() !== ""
      ? [quote(["directories", at], `\n- ${onOneLine(path)}`)]
      : [],
  )
  if (directories.length === 0 && (cwd === undefined || !hasFileAccess(file))) return undefined
  const { trust } = file
  const own =
    cwd === undefined
      ? []
      : [{ text: `Your working directory is: ${onOneLine(cwd)}\n${DIRECTORIES_NOTE}`, trust }]
  const listed = {
    text: `${own.length === 0 ? "" : "\n\n"}You also have access to these additional directories:`,
    trust,
  }
  return { parts: [...own, ...(directories.length === 0 ? [] : [listed, ...directories])] }
}

/** Keeps the spaces of a path, but not its line breaks. */
function onOneLine(path: string): string {
  return path.replaceAll(/[\r\n]+/g, " ")
}

/** In Nova's own trust levels, a sandboxed agent has no file tools. */
function hasFileAccess({ fields }: SourceFile): boolean {
  return fields.trust !== "sandbox"
}

/** Nova's capabilities that keep something beyond a conversation. */
const PERSISTING: ReadonlySet<unknown> = new Set([
  "files",
  "memory",
  "notes",
  "self",
  "instructions",
  "tasks",
  "triggers",
  "secrets",
  "agent-management",
])

export function persists(file: SourceFile): boolean {
  const hasFiles = typeof file.fields.trust === "string" && hasFileAccess(file)
  return hasFiles || capabilitiesOf(file).some((name) => PERSISTING.has(name))
}

/** A list of names, or a map from each name to its settings; `false` and `null` switch one off. */
function capabilitiesOf({ fields: { capabilities } }: SourceFile): readonly unknown[] {
  if (Array.isArray(capabilities) || typeof capabilities !== "object" || capabilities === null)
    return listOf(capabilities)
  return Object.entries(capabilities).flatMap(([name, value]) =>
    value === false || value === null ? [] : [name],
  )
}

/** Facts that replace those of the file. */
export const memoriesInput = sessionInput<readonly unknown[], readonly string[]>("memories", (value) =>
  Array.isArray(value) ? value : undefined,
)

export function memoriesContent(
  file: SourceFile | undefined,
  given: readonly unknown[] | undefined,
): Content | undefined {
  const memories = given ?? listOf(file?.fields.list)
  const quote = given !== undefined || file === undefined ? quoteGiven : quoteFrom(file)
  return contentOf(
    memories.flatMap((memory: unknown, at) =>
      typeof memory === "string" && memory.trim() !== "" ? [quote([at], `- ${memory.trim()}\n`)] : [],
    ),
  )
}

/** Nova's fields of a task are read one by one, whoever feeds them. */
export const novaTasks = turnInput<readonly unknown[]>("tasks", listOf)

/** The task with the id: as the running agent reports it, or else as the file has it. */
export function taskContent(
  id: string | undefined,
  file: SourceFile | undefined,
  given: readonly unknown[] = [],
): Content | undefined {
  if (id === undefined) return undefined
  const fresh = indexOf(given, id)
  if (fresh !== -1) return { parts: taskParts(given[fresh], id, (_keys, text) => quoteGiven([], text)) }
  if (file === undefined) return undefined
  const above = Array.isArray(file.fields.tasks) ? ["tasks"] : []
  const tasks = listOf(file.fields.tasks ?? file.fields.list)
  const at = indexOf(tasks, id)
  if (at === -1) return undefined
  const quote = quoteFrom(file)
  return { parts: taskParts(tasks[at], id, (keys, text) => quote([...above, at, ...keys], text)) }
}

function indexOf(tasks: readonly unknown[], id: string): number {
  return tasks.findIndex((task) => textIn(task, "id") === id)
}

function taskParts(task: unknown, id: string, quote: Quote): readonly TextPart[] {
  const line = (label: string, name: string, format: (text: string) => string) => {
    const text = textIn(task, name)
    return text === undefined ? [] : [quote([name], `${label}: ${format(text)}\n`)]
  }
  return [
    quote(["id"], `You are working on task #${oneLine(id)}. ${TASK_FOCUS}\n\n`),
    ...line("Title", "title", oneLine),
    ...line("Description", "description", (text) => text),
    ...line("Status", "status", oneLine),
    ...line("Owner", "owner", oneLine),
    ...stepParts(fieldOf(task, "steps"), quote),
  ]
}

function stepParts(given: unknown, quote: Quote): readonly TextPart[] {
  const steps = listOf(given).flatMap((step, at) => {
    const title = textIn(step, "title")
    return title === undefined ? [] : [{ step, at, title: oneLine(title) }]
  })
  if (steps.length === 0) return [quote(["steps"], "Steps:\n(no steps defined)")]
  const next = steps.find(({ step }) => fieldOf(step, "done") !== true)
  const lines = steps.map(({ step, at, title }, number) => {
    const mark = fieldOf(step, "done") === true ? "✓" : at === next?.at ? "→" : "○"
    const subtask = textIn(step, "taskId")
    const link = subtask === undefined ? "" : ` (#${oneLine(subtask)})`
    return quote(["steps", at, "title"], `\n${number + 1}. ${mark} ${title}${link}`)
  })
  return [quote(["steps"], "Steps:"), ...lines]
}

/** For example "Saturday, March 7, 2026 at 4:55 PM (Europe/Helsinki)". */
export function novaClock(now: number, timeZone: string): string {
  const { weekday, day, month, year, hour, minute } = calendarOf(now, timeZone)
  const time = `${hour % 12 || 12}:${pad(minute)} ${hour < 12 ? "AM" : "PM"}`
  return `Current time: ${weekday}, ${month} ${day}, ${year} at ${time} (${timeZone})`
}

function quoteFrom(file: SourceFile): Quote {
  return (keys, text) => fromValue(file, keys, text)
}

/** Values that a running agent feeds are as private as the files that they replace. */
const GIVEN: Trust = "inner"

function quoteGiven(_keys: readonly PropertyKey[], text: string): TextPart {
  return { text, trust: GIVEN }
}

function contentOf(parts: readonly TextPart[]): Content | undefined {
  return parts.length === 0 ? undefined : { parts }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** Trimmed. A number counts as its digits, anything else as absent. */
function textIn(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name)
  const text = typeof field === "number" ? String(field) : typeof field === "string" ? field.trim() : ""
  return text === "" ? undefined : text
}
