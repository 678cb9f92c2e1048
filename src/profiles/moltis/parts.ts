// How Moltis writes each kind of input: small pure functions from input to content with provenance.
import { byCodePoint } from "../../base/order.ts"
import { type Content, type Part, type TextPart, trimParts } from "../../core/model/content.ts"
import type { Skill, Tool } from "../../core/model/inputs.ts"
import type { SessionView } from "../../core/model/section-scope.ts"
import { bodyOf, fromFields, type SourceFile } from "../../core/model/source.ts"
import { element } from "../../core/write/markup.ts"
import { clipped } from "../parts.ts"
import { ROUTING, ROUTING_TITLE, SKILLS_TRAILER } from "./text.ts"

/** The provider gets the whole definition anyway. */
const LONGEST_DESCRIPTION = 160

/** Name with emoji, creature and vibe, in one line. An emoji without a name is ignored. */
export function identityContent(file: SourceFile): Content | undefined {
  const [name, emoji] = [fieldOf(file, "name"), fieldOf(file, "emoji")]
  const [creature, vibe] = [fieldOf(file, "creature"), fieldOf(file, "vibe")]
  const sentences = [
    name && `Your name is ${emoji ? `${name} ${emoji}` : name}.`,
    creature && `You are a ${creature}.`,
    vibe && `Your vibe: ${vibe}.`,
  ].filter(Boolean)
  return sentences.length === 0 ? undefined : { parts: [fromFields(file, sentences.join(" "))] }
}

/** The frontmatter's value as one line. Values other than text and numbers count as absent. */
export function fieldOf(file: SourceFile | undefined, name: string): string | undefined {
  const value = file !== undefined && Object.hasOwn(file.fields, name) ? file.fields[name] : undefined
  if (typeof value !== "string" && typeof value !== "number") return undefined
  return oneLine(String(value)) || undefined
}

/** Project files under their base names, outermost first, below a heading that names the project. */
export function projectContent(files: readonly SourceFile[], directory: string | undefined) {
  const filled = files.flatMap((file) => underHeading(`## ${baseName(file.path)}`, file))
  if (filled.length === 0) return undefined
  const heading = directory && `# Project: ${baseName(directory)}\nDirectory: ${directory}`
  // Strangers don't learn about the machine.
  return blankLinesBetween([heading ? [{ text: heading, trust: "familiar" }] : [], ...filled])
}

/** AGENTS.md and TOOLS.md of the data folder. */
export function workspaceFilesContent(files: readonly SourceFile[]): Content | undefined {
  const filled = files.flatMap((file) => underHeading(`### ${baseName(file.path)} (workspace)`, file))
  return filled.length === 0 ? undefined : blankLinesBetween([[{ text: "## Workspace Files" }], ...filled])
}

/** Empty if the file contains only white space. */
function underHeading(heading: string, file: SourceFile): readonly (readonly Part[])[] {
  const body = trimParts([bodyOf(file)])
  return body.length === 0 ? [] : [[{ text: `${heading}\n\n`, trust: file.trust }, ...body]]
}

function blankLinesBetween(groups: readonly (readonly Part[])[]): Content {
  const filled = groups.filter((group) => group.length > 0)
  return { parts: filled.flatMap((group, at) => (at === 0 ? group : [{ text: "\n\n" }, ...group])) }
}

/** In the order in which Moltis lists them; other facts come after. */
const HOST_KEYS = [
  "host",
  "os",
  "arch",
  "shell",
  "provider",
  "model",
  "session",
  "sudo_non_interactive",
  "timezone",
  "accept_language",
  "location",
]
const SANDBOX_KEYS = ["enabled", "mode", "backend", "scope", "image", "workspace_mount", "network"]
/** Moltis doesn't run on Node, and names architectures as Rust does. */
const NOT_TOLD = "runtime"
const ARCHITECTURES: ReadonlyMap<string, string> = new Map([
  ["x64", "x86_64"],
  ["arm64", "aarch64"],
  ["ia32", "x86"],
])

export interface RuntimeOptions {
  /** Has the user's location, if the machine doesn't know it. */
  readonly user: SourceFile | undefined
  /** The name of the command tool, if there is one. */
  readonly exec: string | undefined
}

/** Returns undefined if nothing is known about the machine. */
export function runtimeContent(session: SessionView, { user, exec }: RuntimeOptions): Content | undefined {
  const { environment } = session
  const sandbox = sandboxFacts(session.sandbox)
  const hasSandbox = Object.keys(sandbox).length > 0
  if (environment === undefined && !hasSandbox) return undefined
  const facts = { session: session.id, ...(environment ?? modelFacts(session)) }
  const sandboxLine = hasSandbox
    ? [`\nSandbox(${exec ?? "exec"}): `, ...keyValues(sandbox, SANDBOX_KEYS)]
    : []
  const routing = exec === undefined ? "" : `\n${routingLines(exec, hasSandbox, facts).join("\n")}`
  return {
    parts: [
      { text: "## Runtime\n\nHost: " },
      ...hostParts(facts, user),
      { text: sandboxLine.join("") },
      { text: routing },
    ],
  }
}

/** In Moltis's words. Other facts are as they were given. */
function sandboxFacts({
  mode,
  workspace,
  network,
  ...facts
}: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  if (mode === undefined && workspace === undefined && network === undefined) return facts
  return {
    enabled: "true",
    ...facts,
    ...(mode !== undefined && { mode: mode === "on" ? "all" : mode }),
    ...(workspace !== undefined && { workspace_mount: MOUNTS[workspace] ?? workspace }),
    ...(network !== undefined && { network: NETWORKS[network] ?? network }),
  }
}

const MOUNTS: Readonly<Record<string, string>> = { "read-only": "ro", "read-write": "rw" }
const NETWORKS: Readonly<Record<string, string>> = { off: "disabled", on: "enabled" }

/** Only if no facts about the machine were given: otherwise a fact that was switched off would come back. */
function modelFacts({ model = "" }: SessionView): Readonly<Record<string, string>> {
  const [provider = "", ...rest] = model.split("/")
  return rest.length > 0 ? { provider, model: rest.join("/") } : { model }
}

/** Facts from USER.md are only for audiences that may see that file. */
function hostParts(
  facts: Readonly<Record<string, string>>,
  user: SourceFile | undefined,
): readonly TextPart[] {
  const own = [["timezone", fieldOf(user, "timezone")] as const, ["location", placeOf(user)] as const].filter(
    ([key, value]) => value !== undefined && !facts[key],
  )
  const { arch } = facts
  const all: Readonly<Record<string, string>> = {
    ...facts,
    ...(arch && { arch: ARCHITECTURES.get(arch) ?? arch }),
    ...Object.fromEntries(own),
  }
  const keys = inOrder(all, HOST_KEYS).filter((key) => key !== NOT_TOLD)
  return keys.map((key, at) => {
    const text = `${at === 0 ? "" : " | "}${key}=${all[key]}`
    return user !== undefined && own.some(([name]) => name === key) ? fromFields(user, text) : { text }
  })
}

/** As in USER.md: in words, or as two numbers. */
function placeOf(user: SourceFile | undefined): string | undefined {
  const [latitude, longitude] = [fieldOf(user, "latitude"), fieldOf(user, "longitude")]
  const numbers = latitude && longitude && `${latitude},${longitude}`
  return fieldOf(user, "location") ?? (numbers || undefined)
}

function keyValues(facts: Readonly<Record<string, string>>, order: readonly string[]): readonly string[] {
  return inOrder(facts, order).map((key, at) => `${at === 0 ? "" : " | "}${key}=${facts[key]}`)
}

function inOrder(facts: Readonly<Record<string, string>>, order: readonly string[]): readonly string[] {
  const rest = Object.keys(facts).filter((key) => !order.includes(key))
  return [...order, ...rest].filter((key) => Object.hasOwn(facts, key) && facts[key] !== "")
}

/** Omits the sandbox line if there is none: models act on whatever the prompt mentions. */
function routingLines(
  exec: string,
  hasSandbox: boolean,
  facts: Readonly<Record<string, string>>,
): readonly string[] {
  const where = hasSandbox ? [ROUTING.sandbox(exec), ROUTING.lacking] : [ROUTING.host(exec)]
  if (facts.sudo_non_interactive === "true") return [ROUTING_TITLE, ...where, ROUTING.sudo]
  return [ROUTING_TITLE, ...where, ...(hasSandbox ? [] : [ROUTING.asking])]
}

/** Sorted by name, so that the list doesn't depend on where a skill was found. */
export function skillsContent(skills: readonly Skill[], hasTools: boolean): Content | undefined {
  const listed = skills.filter(({ manual }) => manual !== true)
  if (listed.length === 0) return undefined
  const entries = listed.toSorted((a, b) => byCodePoint(a.name, b.name)).flatMap(skillParts)
  const trailer = hasTools ? `\n\n${SKILLS_TRAILER}` : ""
  return {
    parts: [
      { text: "## Available Skills\n<available_skills>\n" },
      ...entries,
      { text: `</available_skills>${trailer}` },
    ],
  }
}

/** Escaped, unlike in Moltis, so that a description cannot end the list. */
function skillParts({ name, description, path, location, identity, digest, trust }: Skill): readonly Part[] {
  const from = { kind: "file", path, identity, digest, lines: [1, 1] } as const
  const inner = element("skill", { name, source: "skill", path: location }, [{ text: description }])
  const safe = element("available_skills", {}, inner).slice(1, -1)
  return safe.map((part) => ({ ...part, from, trust }))
}

/** One line, with the name in backticks. */
export function compactTool({ name, description }: Tool): string {
  const text = oneLine(description)
  return text === "" ? `- \`${name}\`` : `- \`${name}\`: ${clipped(text, LONGEST_DESCRIPTION)}`
}

function baseName(path: string): string {
  return path.split(/[/\\]/).findLast((name) => name !== "") ?? path
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim()
}
