// Formats tools, context files, skills, documentation and the clock for the `pi` profile. Text of files is verbatim,
// without trimming. Only skills are escaped, as in pi itself.

import { clockFace, MOST_ZONES } from "../../base/clock-face.ts"
import { defined } from "../../base/defined.ts"
import { isRecord } from "../../base/is-record.ts"
import { oncePerText } from "../../base/memo/once.ts"
import { byCodePoint } from "../../base/order.ts"
import { type Content, type Part, textContent } from "../../core/model/content.ts"
import type { Skill, Tool } from "../../core/model/inputs.ts"
import { sessionInput } from "../../core/model/section-input.ts"
import { allOf, bodyOf, firstOf, type SourceFile } from "../../core/model/source.ts"
import { calendarOf, oneLine } from "../parts.ts"
import { nameHere } from "../tool-names.ts"
import { ALWAYS, CONTEXT, DOCUMENTATION, SKILLS } from "./text.ts"
import { OF_AN_AGENT, TOOLS } from "./tools.ts"

const KNOWN: ReadonlyMap<string, string> = new Map([
  ...TOOLS.map(({ name, description }) => [name, description] as const),
  ...Object.entries(OF_AN_AGENT),
])

/** One line for each tool: its snippet, or else the known line for it, or else its name. */
export function toolList(tools: readonly Tool[]): string {
  const lines = tools.map(({ name, promptSnippet = "" }) => {
    return `- ${name}: ${oneLine(promptSnippet) || (KNOWN.get(name) ?? name)}`
  })
  return `Available tools:\n${lines.length === 0 ? "(none)" : lines.join("\n")}`
}

/** Each guideline once, at its first place: a tool that brings one of the last two lines moves it up. */
export function guidelineList(tools: readonly Tool[]): string {
  const here = (name: string) => nameHere(tools, name)
  const [shell, read, edit, write] = [here("bash"), here("read"), here("edit"), here("write")]
  const explorers = ["grep", "find", "ls"].flatMap((name) => here(name) ?? [])
  // pi names all three whichever are registered; another agent's tools are named as they are.
  const named = shell === "bash" ? "grep/find/ls" : explorers.join("/")
  const builtIn = [
    shell && explorers.length === 0 && `Use ${shell} for file operations like ls, rg, find`,
    shell && explorers.length > 0 && `Prefer ${named} tools over ${shell} for file exploration`,
    read && edit && `Use ${read} to examine files before editing`,
    edit && `Use ${edit} for precise changes (old text must match exactly)`,
    write && `Use ${write} only for new files or complete rewrites`,
    (edit || write) && "When summarizing your actions, output plain text directly",
  ].filter((line) => typeof line === "string")
  const own = tools.flatMap(({ promptGuidelines = [] }) => promptGuidelines.map((line) => line.trim()))
  const lines = new Set([...builtIn, ...own.filter((line) => line !== ""), ...ALWAYS])
  return ["Guidelines:", ...[...lines].map((line) => `- ${line}`)].join("\n")
}

/** Where pi's documentation is, as far as known. */
interface Documentation {
  readonly main?: string
  readonly additional?: string
  readonly examples?: string
}

export const documentationInput = sessionInput<Documentation>("documentation", (value) =>
  isRecord(value)
    ? defined({
        main: pathIn(value.main),
        additional: pathIn(value.additional),
        examples: pathIn(value.examples),
      })
    : undefined,
)

function pathIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}

export function documentationContent({
  main,
  additional,
  examples,
}: Documentation = {}): Content | undefined {
  const lines = [
    ...pathLine("Main documentation", main),
    ...pathLine("Additional docs", additional),
    ...pathLine("Examples", examples),
  ]
  return lines.length === 0 ? undefined : textContent([DOCUMENTATION, ...lines].join("\n"))
}

function pathLine(label: string, path: string | undefined): readonly string[] {
  return path === undefined ? [] : [`- ${label}: ${path}`]
}

/** The global file, then the directories from the root down, each with its first file that this audience may see. */
export function contextContent(files: readonly SourceFile[]): Content | undefined {
  const readable = files.filter(({ text, unavailable }) => text !== "" || unavailable === undefined)
  const global = firstOf(readable, "global-context")
  const nearer = firstPerDirectory(allOf(readable, "context")).filter(({ path }) => path !== global?.path)
  const shown = global === undefined ? nearer : [global, ...nearer]
  if (shown.length === 0) return undefined
  return { parts: [{ text: CONTEXT }, ...shown.flatMap(contextFile)] }
}

function firstPerDirectory(files: readonly SourceFile[]): readonly SourceFile[] {
  const first = new Map<string, SourceFile>()
  for (const file of files) {
    const directory = file.path.replace(/[^/\\]*$/, "")
    if (!first.has(directory)) first.set(directory, file)
  }
  return [...first.values()]
}

function contextFile(file: SourceFile): readonly Part[] {
  return [
    { text: `## ${file.path}\n\n`, trust: file.trust },
    bodyOf(file),
    { text: "\n\n", trust: file.trust },
  ]
}

/** Names, descriptions and locations, sorted. Leaves out skills that only a person can start. */
export function skillsContent(skills: readonly Skill[], reader: string): Content | undefined {
  const listed = skills.filter(({ manual }) => manual !== true)
  if (listed.length === 0) return undefined
  const sorted = listed.toSorted((a, b) => byCodePoint(a.name, b.name))
  return {
    parts: [
      { text: `${SKILLS.replace("the read tool", `the ${reader} tool`)}\n\n<available_skills>\n` },
      ...sorted.map(skillPart),
      { text: "</available_skills>" },
    ],
  }
}

function skillPart({ name, description, location, path, identity, digest, trust }: Skill): Part {
  const text = [
    "  <skill>",
    `    <name>${escapeXml(name)}</name>`,
    `    <description>${escapeXml(description)}</description>`,
    `    <location>${escapeXml(location)}</location>`,
    "  </skill>\n",
  ].join("\n")
  return { text, from: { kind: "file", path, identity, digest, lines: [1, 1] }, trust }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)
}

/** For example "Saturday, March 7, 2026 at 08:55:05 AM CST". Only the zone's short name comes from the locale. */
export function longClockText(now: number, timeZone: string): string {
  const { weekday, day, month, year } = calendarOf(now, timeZone)
  const { hour, minute, second } = clockFace(now, timeZone)
  const parts = formatOf(timeZone).formatToParts(now)
  const zone = parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone
  const time = [hour % 12 || 12, minute, second].map(twoDigits).join(":")
  return `${weekday}, ${month} ${day}, ${year} at ${time} ${hour < 12 ? "AM" : "PM"} ${zone}`
}

const formatOf = oncePerText(
  MOST_ZONES,
  (timeZone) => new Intl.DateTimeFormat("en-US", { timeZoneName: "short", timeZone }),
)

function twoDigits(value: number): string {
  return String(value).padStart(2, "0")
}
