// Parts that several profiles share: small pure functions that format one kind of input.
import { clockFace } from "../base/clock-face.ts"
import { canonicalJson } from "../base/digest.ts"
import { type Content, type Part, textContent, trimParts } from "../core/model/content.ts"
import type { GitState, MemoryFile, Skill, Tool } from "../core/model/inputs.ts"
import { bodyOf, fromFields, type SourceFile } from "../core/model/source.ts"
import { element, escapeAttribute } from "../core/write/markup.ts"

/** The definition has the rest, and the provider gets it anyway. */
const LONGEST_TOOL_LINE = 160

/** One line for a tool: its snippet, or else the first line of its description, or else its name. */
export function toolLine({ name, promptSnippet, description }: Tool): string {
  const snippet = oneLine(promptSnippet ?? "") || oneLine(description.split("\n", 1)[0] ?? "")
  return snippet === "" ? `- ${name}` : `- ${name}: ${clipped(snippet, LONGEST_TOOL_LINE)}`
}

/** The whole definition as text, for a model without tool calling. */
export function toolDefinition({ name, description, parameters }: Tool): string {
  const schema = JSON.stringify(JSON.parse(canonicalJson(parameters)), undefined, 2)
  // No line of a schema can begin with a fence, because it is JSON.
  return `### ${name}\n${description.trim()}\n\nParameters:\n\`\`\`json\n${schema}\n\`\`\``
}

/**
 * The instructions for a model without tool calling: how it calls tools in its text, with a fenced block that the
 * agent finds in its answer.
 */
export const TOOL_CALL_FORMAT = `To call tools, end your answer with one or more blocks of exactly this form, and write nothing after the last one:

\`\`\`tool_call
{"tool": "<name>", "arguments": {<arguments>}}
\`\`\`

They run in order, and the next message has their results.`

/** Counts code points, so that no character is split. */
export function clipped(text: string, length: number): string {
  const points = [...text]
  return points.length <= length ? text : `${points.slice(0, length).join("")}...`
}

/** Advice on using tools, depending on which are registered. */
export function guidelines(tools: readonly Tool[]): readonly string[] {
  const has = (name: string) => tools.some((tool) => tool.name === name)
  const explorers = ["grep", "find", "list"].filter(has)
  const own = tools.flatMap((tool) => tool.promptGuidelines ?? []).map(oneLine)
  const lines = [
    has("shell") && explorers.length === 0 && "Use shell for file operations such as ls, rg and find.",
    has("shell") && explorers.length > 0 && `Prefer ${listed(explorers)} over shell for exploring files.`,
    has("read") && has("edit") && "Read a file before you edit it.",
    has("edit") && "Use edit for precise changes; the old text must match exactly.",
    has("write") && "Use write only for new files or complete rewrites.",
    (has("edit") || has("write")) &&
      "When you summarise your work, write plain text and don't print files again.",
    ...own,
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

/** Several files, each in a tag with its path. */
export function filesContent(files: readonly SourceFile[]): Content | undefined {
  const parts = files.flatMap((file) => {
    const body = bodyPart(file)
    return body === undefined ? [] : element("file", { path: file.path }, [body])
  })
  return parts.length === 0 ? undefined : { parts }
}

/** The skills in full, then with short descriptions, then only names, then as many names as fit. */
export function skillsContent(skills: readonly Skill[], reader: string): Content | undefined {
  const listed = skills.filter(({ manual }) => manual !== true)
  if (listed.length === 0) return undefined
  const intro = {
    text: `Instructions for kinds of tasks. When one fits, load its file with ${reader} before you start; paths in it are relative to its folder.\n`,
  }
  const full = listed.flatMap((skill) =>
    skillPart(skill, element("skill", { name: skill.name, path: skill.path }, [{ text: skill.description }])),
  )
  const compact = listed.flatMap((skill) =>
    skillPart(skill, [{ text: `- ${skill.name}: ${shortened(skill.description, 60)} (${skill.path})\n` }]),
  )
  const names = halvings(listed.length).map((count) => ({ parts: [intro, ...nameList(listed, count)] }))
  return { parts: [intro, ...full], shorter: [{ parts: [intro, ...compact] }, ...names] }
}

function skillPart({ path, identity, digest, trust }: Skill, parts: readonly Part[]): readonly Part[] {
  const from = { kind: "file", path, identity, digest, lines: [1, 1] } as const
  return parts.map((part) => ({ ...part, from, trust }))
}

function nameList(skills: readonly Skill[], count: number): readonly Part[] {
  const head = count === skills.length ? "" : `Showing ${count} of ${skills.length}. `
  return [
    { text: head },
    ...skills
      .slice(0, count)
      .flatMap((skill, at) => skillPart(skill, [{ text: at === 0 ? skill.name : `, ${skill.name}` }])),
  ]
}

/** 100, 50, 25, … down to 1. */
function halvings(count: number): readonly number[] {
  return count <= 1 ? [count] : [count, ...halvings(Math.floor(count / 2))]
}

/** Project context, outermost first. Under a tight budget, the most general file is the first to become a pointer. */
export function contextContent(files: readonly SourceFile[]): Content | undefined {
  const filled = files.filter((file) => file.text.trim() !== "")
  const forms = filled.map((_file, held) => ({
    parts: filled.flatMap((file, at) => contextFile(file, at < held)),
  }))
  const [whole, ...shorter] = forms
  return whole && { ...whole, shorter }
}

function contextFile(file: SourceFile, isHeld: boolean): readonly Part[] {
  if (!isHeld) return element("file", { path: file.path }, [trimmedBody(file)])
  return [fromFields(file, `<file path="${escapeAttribute(file.path)}" left-out="for want of room"/>\n`)]
}

/** A list of memory files with their cost, so that the model knows what it could load and what that takes. */
export function memoryContent(files: readonly MemoryFile[], tools: readonly Tool[]): Content | undefined {
  const has = (name: string) => tools.some((tool) => tool.name === name)
  const ways = [
    has("memory_search") && "memory_search to find a fact",
    has("memory_get") && "memory_get(path, from, lines) to load a part",
    !has("memory_get") && has("read") && "read to load a file",
  ].filter((way) => way !== false)
  if (files.length === 0 || ways.length === 0) return undefined
  const width = Math.max(...files.map(({ path }) => path.length))
  const prices = files.map(({ tokens }) => tokens.toString().replace(/\B(?=(\d{3})+$)/g, ","))
  const wide = Math.max(...prices.map((price) => price.length))
  const lines = files.map((file, at): Part => {
    const text =
      `- ${file.path.padEnd(width)}  (${(prices[at] ?? "").padStart(wide)} tok)  ${file.description}`.trimEnd()
    return { text: `${text}\n`, trust: file.trust }
  })
  return { parts: [...lines, { text: `Use ${ways.join(", ")}.` }] }
}

/** One line of facts for the machine, one for the sandbox, and what runs where. */
export function environmentContent(
  host: Readonly<Record<string, string>> = {},
  sandbox: Readonly<Record<string, string>> = {},
): Content | undefined {
  const line = (title: string, facts: Readonly<Record<string, string>>) => {
    const fields = Object.entries(facts).map(([key, value]) => `${key}=${value}`)
    return fields.length === 0 ? [] : [`${title}: ${fields.join(" | ")}`]
  }
  const inside = line("Sandbox", sandbox)
  const routing = inside.length === 0 ? [] : ["Commands run in the sandbox; all other tools run on the host."]
  return textContent([...line("Host", host), ...inside, ...routing].join("\n"))
}

/** The branch and the state of a Git repository. */
export function gitContent(git: GitState | undefined): Content | undefined {
  if (git === undefined) return undefined
  const changed =
    git.dirty === 0 ? "nothing changed" : `${git.dirty} ${git.dirty === 1 ? "file" : "files"} changed`
  const commits =
    git.commits.length === 0 ? [] : ["Last commits:", ...git.commits.map((commit) => `- ${commit}`)]
  return textContent([`Branch ${git.branch}, ${changed}.`, ...commits].join("\n"))
}

/** Parts separated by blank lines. Returns undefined if there are none. */
export function joined(parts: readonly (Part | false | undefined)[]): Content | undefined {
  const kept = parts.filter((part) => part !== undefined && part !== false)
  if (kept.length === 0) return undefined
  return { parts: kept.flatMap((part, at) => (at === 0 ? [part] : [{ text: "\n\n" }, part])) }
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
)

/** Date and time in a zone. Not formatted by a locale, because its output changes with the platform's data. */
export function clockText(now: number, timeZone: string): string {
  const { weekday, day, month, year, hour, minute } = calendarOf(now, timeZone)
  return `${weekday}, ${day} ${month} ${year}, ${pad(hour)}:${pad(minute)} (${timeZone})`
}

/** What a clock in the zone shows, with English names for months and weekdays. */
export function calendarOf(now: number, timeZone: string) {
  const { year, month, day, hour, minute } = clockFace(now, timeZone)
  // Once the date is known, its weekday doesn't depend on the zone.
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]
  return { weekday, day, month: MONTHS[month - 1], year, hour, minute }
}

function bodyPart(file: SourceFile) {
  return file.text.trim() === "" ? undefined : trimmedBody(file)
}

/** The lines that are really shown: blank lines at both ends are in the file but not in the prompt. */
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

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()}...`
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim()
}

function withArticle(noun: string): string {
  if (/^(an?|the) /i.test(noun)) return noun
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}

export function pad(value: number): string {
  return String(value).padStart(2, "0")
}
