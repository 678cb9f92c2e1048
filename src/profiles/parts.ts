// Parts from which profiles are made: small pure functions that format one kind of input.
import { type Content, type Part, trimParts } from "../core/content.ts"
import { element } from "../core/markup.ts"
import type { Tool } from "../core/scope.ts"
import { bodyOf, fromFields, type SourceFile } from "../core/source.ts"

/** One line for a tool: its own snippet, else the first line of its description, else its name. */
export function toolLine({ name, promptSnippet, description }: Tool): string {
  const snippet = oneLine(promptSnippet ?? "") || oneLine(description.split("\n", 1)[0] ?? "")
  return snippet === "" ? `- ${name}` : `- ${name}: ${snippet}`
}

/** What is said about using tools depends on which of them are there. */
export function guidelines(tools: readonly Tool[]): readonly string[] {
  const has = (name: string) => tools.some((tool) => tool.name === name)
  const explorers = ["grep", "find", "list"].filter(has)
  const own = tools.flatMap((tool) => tool.promptGuidelines ?? []).map(oneLine)
  const lines = [
    has("shell") && explorers.length === 0 && "Use shell for file operations such as ls, rg and find.",
    has("shell") && explorers.length > 0 && `Prefer ${listed(explorers)} over shell for exploring files.`,
    has("read") && has("edit") && "Use read to look at a file before you edit it.",
    has("edit") && "Use edit for precise changes; the old text must match exactly.",
    has("write") && "Use write only for new files or complete rewrites.",
    (has("edit") || has("write")) &&
      "When you sum up what you did, write plain text; do not print files again.",
    ...own,
    tools.length > 1 && "Call tools that do not depend on each other together, in one go.",
    tools.length > 0 && "Show file paths clearly when you work with files.",
  ]
  return [...new Set(lines.filter((line) => typeof line === "string" && line !== ""))] as readonly string[]
}

/** Name, emoji, creature and vibe from the frontmatter, then the body. */
export function identityContent(file: SourceFile | undefined): Content | undefined {
  if (file === undefined) return undefined
  const { name, emoji, creature, vibe } = texts(file.fields)
  const sentences = [
    name && `Your name is ${[name, emoji].filter(Boolean).join(" ")}.`,
    creature && `You are ${withArticle(creature)}.`,
    vibe && `Your vibe: ${vibe}.`,
  ].filter(Boolean)
  return joined([sentences.length > 0 && fromFields(file, sentences.join(" ")), bodyPart(file)])
}

/** Who the person is: name, place and time zone from the frontmatter, then the body. */
export function userContent(file: SourceFile | undefined): Content | undefined {
  if (file === undefined) return undefined
  const { name, location, timezone } = texts(file.fields)
  const sentences = [
    name && `The user's name is ${name}.`,
    location && `Location: ${location}.`,
    timezone && `Time zone: ${timezone}.`,
  ].filter(Boolean)
  return joined([sentences.length > 0 && fromFields(file, sentences.join(" ")), bodyPart(file)])
}

/** Several files, each in a tag that names its path. */
export function filesContent(files: readonly SourceFile[]): Content | undefined {
  const parts = files.flatMap((file) => {
    const body = bodyPart(file)
    return body === undefined ? [] : element("file", { path: file.path }, [body])
  })
  return parts.length === 0 ? undefined : { parts }
}

/** Parts with a blank line between them; nothing if there are none. */
export function joined(parts: readonly (Part | false | undefined)[]): Content | undefined {
  const kept = parts.filter((part) => part !== undefined && part !== false)
  if (kept.length === 0) return undefined
  return { parts: kept.flatMap((part, at) => (at === 0 ? [part] : [{ text: "\n\n" }, part])) }
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
)
const FORMATS = new Map<string, Intl.DateTimeFormat>()

/** Date and time in a zone, in our own words: what a locale would write changes with its data. */
export function clockText(now: number, timeZone: string): string {
  const fields = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = fields
  // The weekday of a calendar date does not depend on the zone once the date is known.
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]
  return `${weekday}, ${day} ${MONTHS[month - 1]} ${year}, ${pad(hour)}:${pad(minute)} (${timeZone})`
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone)
  if (known !== undefined) return known
  const numeric = {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  } as const
  const made = new Intl.DateTimeFormat("en-US", {
    ...numeric,
    hourCycle: "h23",
    calendar: "gregory",
    numberingSystem: "latn",
    timeZone,
  })
  FORMATS.set(timeZone, made)
  return made
}

function bodyPart(file: SourceFile) {
  return file.text.trim() === "" ? undefined : trimmedBody(file)
}

/** The lines that are really shown: blank ones at both ends stand in the file, not in the prompt. */
function trimmedBody(file: SourceFile) {
  const body = bodyOf(file)
  return trimParts([body])[0] ?? body
}

function texts(fields: Readonly<Record<string, unknown>>): Partial<Record<string, string>> {
  const usable = Object.entries(fields).flatMap(([key, value]) => {
    const text = typeof value === "string" || typeof value === "number" ? oneLine(String(value)) : ""
    return text === "" ? [] : [[key, text] as const]
  })
  return Object.fromEntries(usable)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim()
}

function withArticle(noun: string): string {
  if (/^(an?|the) /i.test(noun)) return noun
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}

function pad(value: number): string {
  return String(value).padStart(2, "0")
}
