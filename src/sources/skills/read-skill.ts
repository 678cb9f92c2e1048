// Reads the file of a skill or a command: its listing, and who may see it. Without a description, the first line of its
// text is used, as in Claude Code. Other requirements of the Agent Skills standard are in skill-standard.ts.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { isTrust, type Trust } from "../../base/trust.ts"
import type { Skill } from "../../core/model/inputs.ts"
import { readSource } from "../read/file.ts"
import { splitFrontMatter } from "../read/frontmatter.ts"
import { inspectText } from "../read/inspect.ts"

/**
 * The trust a skill requires unless its frontmatter says otherwise; also required for diagnostics about an unreadable one.
 */
export const DEFAULT_TRUST: Trust = "familiar"

/** The file of a skill, found but not yet read. */
export interface SkillFile {
  readonly shown: string
  /** The path as found, before links are resolved. */
  readonly at: string
  readonly location: string
  /** The skill's name if its frontmatter has none. */
  readonly name: string
  /**
   * `skill`: a SKILL.md, which should have the name of its directory. `note`: a Markdown file among skills, which is a
   * skill only if it has a description. `command`: any file in a folder of commands.
   */
  readonly kind: "skill" | "note" | "command"
}

/** The result for one file, under any path. */
export interface ReadSkill {
  readonly identity: string
  readonly trust: Trust
  /** Only in these situations and modes. */
  readonly limits?: Pick<Skill, "situations" | "modes">
  readonly isOwn: boolean
  /** Undefined if it cannot be listed. */
  readonly listing: Omit<Skill, "identity" | "trust"> | undefined
  readonly diagnostics: readonly Diagnostic[]
}

interface ReadOptions {
  readonly roots: readonly string[]
  readonly isOwn: boolean
  readonly needsDescription?: true
}

export function readSkill(file: SkillFile, { roots, isOwn, needsDescription }: ReadOptions): ReadSkill {
  const { shown: path, location } = file
  const found = readSource(location, { roots, shown: path })
  // It may be a link, and whether there is anything at its end may be hidden.
  const unread = { identity: path, trust: "full", isOwn, listing: undefined } as const
  if (found.kind === "absent") return { ...unread, diagnostics: [{ code: "file-gone", path }] }
  if (found.kind === "refused") return { ...unread, diagnostics: [found.diagnostic] }
  if (found.kind === "unavailable")
    return { ...unread, diagnostics: [{ code: "source-unavailable", path, reason: found.reason }] }
  const { identity, digest } = found
  const { text, diagnostics: seen } = inspectText(found.text, { path, firstLine: 1, isOwn })
  const { fields, body, firstLine, isBroken, diagnostics: written } = splitFrontMatter(text, path)
  const declared = isBroken ? "full" : fields.trust
  const policy = isOwn ? trustOf(declared, path) : { trust: DEFAULT_TRUST, diagnostics: [] }
  const read = { identity, trust: policy.trust, isOwn, listing: undefined }
  const diagnostics: Diagnostic[] = [...policy.diagnostics, ...found.diagnostics, ...seen, ...written]
  const said = oneLine(fields.description)
  // A plain note among skills causes no diagnostic, and neither does a template for skills.
  const isNote = said === "" && file.kind === "note"
  if (isNote || isTemplate(file, said)) return { ...read, diagnostics: policy.diagnostics }
  // A value that is not text has no usable line.
  const isGuessed =
    needsDescription !== true && !found.diagnostics.some(({ code }) => code === "invalid-utf8")
  const description = said || (isGuessed ? firstLineOf(body) : "")
  if (said === "" && file.kind === "skill") diagnostics.push(withoutDescription(path, description !== ""))
  if (description === "") return { ...read, diagnostics }
  const name = oneLine(file.kind === "command" ? "" : fields.name) || file.name
  const problem = problemOf(name, file)
  if (problem !== "")
    diagnostics.push({ code: "skill-name-invalid", path, line: lineOfName(text, firstLine), name, problem })
  const manual = fields["disable-model-invocation"] === true
  return {
    ...read,
    listing: { name, description, path, location, digest, ...(manual && { manual }) },
    diagnostics,
  }
}

/** Meant to be copied: judged by its name, or by a placeholder description. */
function isTemplate({ name, kind }: SkillFile, description: string): boolean {
  if (kind === "command") return false
  if (/^(?:replace (?:this|with)\b|\[?todo\b|<[^>]*>$|\{\{)/i.test(description)) return true
  return /^_|^(?:skill[-_ ])?template$/i.test(name)
}

function withoutDescription(path: string, listed: boolean): Diagnostic {
  return { code: "skill-without-description", path, ...(listed && { listed }) }
}

const MAX_NAME = 64

/** A longer first line is a paragraph. */
const MAX_FIRST_LINE = 200

/** The first line with words, without markup. */
function firstLineOf(body: string): string {
  const line = body
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .split("\n")
    .find((one) => /\p{L}/u.test(one))
  return [...oneLine((line ?? "").replace(/^[\s#>*-]+/, ""))].slice(0, MAX_FIRST_LINE).join("")
}

/** An unknown level hides the skill from all but the owner. */
function trustOf(declared: unknown, path: string): Pick<ReadSkill, "trust" | "diagnostics"> {
  const trust = declared ?? DEFAULT_TRUST
  if (isTrust(trust)) return { trust, diagnostics: [] }
  // An object's toString could return anything the file says.
  const value = typeof trust === "object" ? "a list or a map" : String(trust)
  return { trust: "full", diagnostics: [{ code: "unknown-trust", path, value, used: "full" }] }
}

/** A value that is not text counts as missing. */
function oneLine(value: unknown): string {
  if (typeof value !== "string") return ""
  const lines = value.split(/[\n\v\f\r\u0085\u2028\u2029]/).map((line) => line.trim())
  return lines.filter((line) => line !== "").join(" ")
}

/**
 * Everything wrong with a name, as words that follow the name in a sentence; "" if nothing is wrong. Commands are named
 * by path.
 */
function problemOf(name: string, { name: directory, kind }: SkillFile): string {
  if (kind === "command") return ""
  const problems = [
    name.length > MAX_NAME && `is longer than ${MAX_NAME} characters`,
    /[^a-z0-9-]/.test(name) && "has characters other than lower-case letters, digits and hyphens",
    /^-|-$/.test(name) && "starts or ends with a hyphen",
    name.includes("--") && "has two hyphens in a row",
    kind === "skill" && name !== directory && `does not match its directory, "${directory}"`,
  ]
  return problems.filter((problem) => problem !== false).join(", and ")
}

/** Returns 1 if the frontmatter has no name, or writes it in an unusual form. */
function lineOfName(text: string, firstLine: number): number {
  const lines = text.split("\n", firstLine - 1)
  return (
    Math.max(
      0,
      lines.findIndex((line) => /^(["']?)name\1[ \t]*:/.test(line)),
    ) + 1
  )
}
