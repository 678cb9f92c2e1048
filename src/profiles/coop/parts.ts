// The formats of the `coop` profile: files under their names, extensions, skills, runtime facts and the memory menu.
import { clockFace } from "../../base/clock-face.ts"
import { byCodePoint } from "../../base/order.ts"
import type { Trust } from "../../base/trust.ts"
import type { Content, Part } from "../../core/model/content.ts"
import type { Extension, MemoryFile, Skill, Tool, Turn } from "../../core/model/inputs.ts"
import type { CutMarker } from "../../core/model/profile.ts"
import type { AgentView, SessionView } from "../../core/model/section-scope.ts"
import { bodyContent, bodyOf, fromFields, type SourceFile } from "../../core/model/source.ts"
import { noFile, type Unused, unused } from "../../core/view/unused.ts"

/** The most that a file may take. */
const FILE_TOKENS = 30_000

/** The separator between two texts. */
export const BLANK_LINE = "\n\n"

/** A file under its name, verbatim. */
export function fileContent(file: SourceFile | undefined, name: string): Content | undefined {
  const body = bodyContent(file)
  if (file === undefined || body === undefined) return undefined
  const maxTokens = Math.min(file.maxTokens ?? FILE_TOKENS, FILE_TOKENS)
  return { parts: [heading(file, name), ...body.parts], wish: { ...body.wish, maxTokens } }
}

/** Several files in order, each under its name. */
export function filesContent(files: readonly SourceFile[], agent: AgentView): Content | undefined {
  const filled = files.filter(({ text }) => text.trim() !== "")
  if (filled.length === 0) return undefined
  const parts = filled.flatMap((file, at) => [
    heading(file, nameOf(file, agent), at === 0 ? "" : BLANK_LINE),
    bodyOf(file),
  ])
  return { parts, wish: { maxTokens: FILE_TOKENS } }
}

function heading(file: SourceFile, name: string, before = ""): Part {
  return fromFields(file, `${before}## ${oneLine(name)}\n`)
}

/** The name by which a file is configured: its path without the agent's or the person's folder. */
export function nameOf({ path }: SourceFile, { id }: AgentView): string {
  const folder = `agents/${id}/`
  const own = path.startsWith(folder) ? path.slice(folder.length) : path
  return own.replace(/^users\/[^/]+\//, "")
}

/** The instructions of extensions, sorted, so that the order doesn't depend on which one answered first. */
export function extensionsContent(extensions: readonly Extension[]): Content | undefined {
  const parts = extensions
    .filter(({ instructions }) => instructions.trim() !== "")
    .toSorted((a, b) => byCodePoint(a.name, b.name))
    .map(({ name, instructions, trust = "public" }, at): Part => {
      return { text: `${at === 0 ? "" : BLANK_LINE}## ${oneLine(name)}\n${instructions}`, trust }
    })
  return parts.length === 0 ? undefined : { parts }
}

/** Skills by name, path and description; the model loads what it needs. */
export function skillsContent(
  skills: readonly Skill[],
  tools: readonly Tool[],
  title = "## Skills\n\nInstructions for kinds of tasks.",
): Content | undefined {
  const listed = skills
    .filter(({ manual }) => manual !== true)
    .toSorted((a, b) => byCodePoint(a.name, b.name))
  if (listed.length === 0) return undefined
  const reader = ["read_file", "read"].find((name) => has(tools, name))
  const how = reader === undefined ? "" : ` Load one with ${reader} when a task fits its description.`
  const lines = listed.map(({ name, path, description, identity, digest, trust }): Part => {
    const from = { kind: "file", path, identity, digest, lines: [1, 1] } as const
    return { text: `\n- **${oneLine(name)}** (\`${path}\`) — ${oneLine(description)}`, from, trust }
  })
  return { parts: [{ text: `${title}${how}\n` }, ...lines] }
}

export function whyNoSkills(skills: readonly Skill[], role: string): Unused {
  return skills.length === 0 ? noFile(role) : unused({ kind: "manual-only", count: skills.length })
}

export const PERSONAL_SKILLS =
  "## Skills of this user\n\nEach goes before a skill of the same name in the list above."

/** Facts about this turn: time, person, place and trust. */
export function runtimeContent(agent: AgentView, session: SessionView, turn: Turn): Content {
  const { model, channel, person, audience } = session
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Date/time", dateTime(turn)],
    ["Agent", agent.id],
    ["Model", model],
    ["Channel", channel],
    ["Session", audience.situation],
    ["User", person],
    ["Trust", audience.trust],
  ]
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`- ${name}: ${oneLine(value)}`],
  )
  return { parts: [{ text: ["## Runtime", ...lines].join("\n") }] }
}

function dateTime({ now, timeZone }: Turn): string {
  const { year, month, day, hour, minute } = clockFace(now, timeZone)
  const pad = (value: number, length = 2) => String(value).padStart(length, "0")
  return `${pad(year, 4)}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)} ${timeZone}`
}

/** The memory menu: paths on the left, costs on the right, then a description of each. */
export function menuContent(files: readonly MemoryFile[], trust: Trust): Content | undefined {
  if (files.length === 0) return undefined
  const paths = files.map(({ path }) => oneLine(path))
  const prices = files.map(({ tokens }) => `(${thousands(tokens)} tok)`)
  const width = longest(paths) + 2 + longest(prices)
  const lines = files.map((file, at): Part => {
    const [path = "", price = ""] = [paths[at], prices[at]]
    const about = file.description === "" ? "" : ` — ${oneLine(file.description)}`
    return { text: `\n- ${path}${price.padStart(width - path.length)}${about}`, trust: file.trust }
  })
  return { parts: [{ text: `## Available Memory (trust: ${trust})` }, ...lines] }
}

/** The remaining budget, and the available tools for using it. */
export function hintText(remaining: number | undefined, tools: readonly Tool[]): string {
  const search = has(tools, "memory_search") && "memory_search to find specific facts"
  const get = tools.find(({ name }) => name === "memory_get")
  const ways = [search, get && `${callOf(get)} to load sections`].filter((way) => typeof way === "string")
  const use = ways.length === 0 ? "" : `Use ${ways.join(",\nor ")}.`
  return [budgetText(remaining), use].filter((text) => text !== "").join(" ")
}

/** Tools known to take the first line as `from`. */
const TAKES_LINE: ReadonlySet<string> = new Set(["memory_get", "read"])

/** Names a call only if the model can make it. */
export const cutMarker: CutMarker = ({ keptTokens, allTokens, path, line, reader }) => {
  const rest =
    reader === undefined || path === undefined
      ? ""
      : ` - use ${reader}(${JSON.stringify(path)}${TAKES_LINE.has(reader) ? `, from=${line}` : ""}) for remainder`
  return `[truncated at ${keptTokens}/${allTokens} tokens${rest}]`
}

/** In whole thousands, rounded down. */
function budgetText(remaining: number | undefined): string {
  if (remaining === undefined || remaining < 0) return ""
  const about = remaining < 1000 ? `${Math.floor(remaining)}` : `${Math.floor(remaining / 1000)}k`
  return `Remaining budget: ~${about} tokens.`
}

/** The call with those of the usual arguments that the registered tool accepts. */
function callOf({ name, parameters }: Tool): string {
  const { properties } = parameters
  if (typeof properties !== "object" || properties === null) return name
  const taken = ["path", "from", "lines"].filter((argument) => Object.hasOwn(properties, argument))
  return taken.length === 0 ? name : `${name}(${taken.join(", ")})`
}

function has(tools: readonly Tool[], name: string): boolean {
  return tools.some((tool) => tool.name === name)
}

function longest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0)
}

function thousands(value: number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ",")
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim()
}
