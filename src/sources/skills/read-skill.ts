// Reads the file of a skill or a command: what lists it, and who may see it. Without a description the first line of its
// text lists it, as in Claude Code. What else the standard of Agent Skills asks for is in skill-standard.ts.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { isTrust, type Trust } from "../../base/trust.ts"
import type { Skill } from "../../core/model/scope.ts"
import { readSource } from "../read/file.ts"
import { splitFrontMatter } from "../read/frontmatter.ts"
import { inspectText } from "../read/inspect.ts"

/** What a skill needs unless its frontmatter says otherwise; also what it takes to hear of one that cannot be read. */
export const DEFAULT_TRUST: Trust = "familiar"

/** The file of a skill, found but not yet read. */
export interface SkillFile {
  readonly shown: string
  /** As it was found, before links are followed. */
  readonly at: string
  readonly location: string
  /** The skill's name if its frontmatter has none. */
  readonly name: string
  /**
   * `skill`: a SKILL.md, which should be called like its directory. `note`: a Markdown file among skills, which is one
   * only if it says what it does. `command`: a file of a folder of commands, which all are.
   */
  readonly kind: "skill" | "note" | "command"
}

/** What was read of one file, by whatever path. */
export interface ReadSkill {
  readonly identity: string
  readonly trust: Trust
  /** Only in these situations and modes. */
  readonly limits?: Pick<Skill, "situations" | "modes">
  readonly isOwn: boolean
  /** Nothing, if it cannot be listed. */
  readonly listing: Omit<Skill, "identity" | "trust"> | undefined
  readonly findings: readonly Diagnostic[]
}

interface ReadOptions {
  readonly roots: readonly string[]
  readonly isOwn: boolean
  readonly needsDescription?: true
}

export function readSkill(file: SkillFile, { roots, isOwn, needsDescription }: ReadOptions): ReadSkill {
  const { shown: path, location } = file
  const found = readSource(location, { roots, shown: path })
  const unread = { identity: path, trust: DEFAULT_TRUST, isOwn, listing: undefined }
  if (found.kind === "absent") return { ...unread, findings: [] }
  if (found.kind === "refused") return { ...unread, findings: [found.diagnostic] }
  if (found.kind === "unavailable")
    return { ...unread, findings: [{ code: "source-unavailable", path, reason: found.reason }] }
  const { identity, digest } = found
  const { text, diagnostics: seen } = inspectText(found.text, { path, firstLine: 1, isOwn })
  const { fields, body, firstLine, isBroken, diagnostics } = splitFrontMatter(text, path)
  const declared = isBroken ? "full" : fields.trust
  const policy = isOwn ? trustOf(declared, path) : { trust: DEFAULT_TRUST, findings: [] }
  const read = { identity, trust: policy.trust, isOwn, listing: undefined }
  const findings: Diagnostic[] = [...policy.findings, ...found.diagnostics, ...seen, ...diagnostics]
  const said = oneLine(fields.description)
  // A plain note beside skills is nothing to speak of, and neither is a template for skills.
  const isNote = said === "" && file.kind === "note"
  if (isNote || isTemplate(file, said)) return { ...read, findings: policy.findings }
  // What is not text has no line that says anything.
  const isGuessed =
    needsDescription !== true && !found.diagnostics.some(({ code }) => code === "invalid-utf8")
  const description = said || (isGuessed ? firstLineOf(body) : "")
  if (said === "" && file.kind === "skill") findings.push(withoutDescription(path, description !== ""))
  if (description === "") return { ...read, findings }
  const name = oneLine(file.kind === "command" ? "" : fields.name) || file.name
  const problem = problemOf(name, file)
  if (problem !== "")
    findings.push({ code: "skill-name-invalid", path, line: lineOfName(text, firstLine), name, problem })
  const manual = fields["disable-model-invocation"] === true
  return {
    ...read,
    listing: { name, description, path, location, digest, ...(manual && { manual }) },
    findings,
  }
}

/** Made to be copied: by its name, or because its description is still to be written. */
function isTemplate({ name, kind }: SkillFile, description: string): boolean {
  if (kind === "command") return false
  if (/^(?:replace (?:this|with)\b|\[?todo\b|<[^>]*>$|\{\{)/i.test(description)) return true
  return /^_|^(?:skill[-_ ])?template$/i.test(name)
}

function withoutDescription(path: string, listed: boolean): Diagnostic {
  return { code: "skill-without-description", path, ...(listed && { listed }) }
}

const MAX_NAME = 64

/** Longer first lines are a paragraph. */
const MAX_FIRST_LINE = 200

/** The first line with words, without its marks. */
function firstLineOf(body: string): string {
  const line = body
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .split("\n")
    .find((one) => /\p{L}/u.test(one))
  return [...oneLine((line ?? "").replace(/^[\s#>*-]+/, ""))].slice(0, MAX_FIRST_LINE).join("")
}

/** A level that does not exist hides the skill from all but the owner. */
function trustOf(declared: unknown, path: string): Pick<ReadSkill, "trust" | "findings"> {
  const trust = declared ?? DEFAULT_TRUST
  if (isTrust(trust)) return { trust, findings: [] }
  // An object's own toString may be anything that the file says.
  const value = typeof trust === "object" ? "a list or a map" : String(trust)
  return { trust: "full", findings: [{ code: "unknown-trust", path, value, used: "full" }] }
}

/** What is not text is as good as not there. */
function oneLine(value: unknown): string {
  if (typeof value !== "string") return ""
  const lines = value.split(/[\n\v\f\r\u0085\u2028\u2029]/).map((line) => line.trim())
  return lines.filter((line) => line !== "").join(" ")
}

/** Everything that is wrong with a name, in words that go on from it; "" if nothing is. Commands are called by path. */
function problemOf(name: string, { name: directory, kind }: SkillFile): string {
  if (kind === "command") return ""
  const problems = [
    name.length > MAX_NAME && `is longer than ${MAX_NAME} characters`,
    /[^a-z0-9-]/.test(name) && "has something other than lower-case letters, digits and hyphens",
    /^-|-$/.test(name) && "starts or ends with a hyphen",
    name.includes("--") && "has two hyphens in a row",
    kind === "skill" && name !== directory && `is not that of its directory, "${directory}"`,
  ]
  return problems.filter((problem) => problem !== false).join(", and ")
}

/** 1 if the frontmatter has none, or writes it in a way of its own. */
function lineOfName(text: string, firstLine: number): number {
  const lines = text.split("\n", firstLine - 1)
  return (
    Math.max(
      0,
      lines.findIndex((line) => /^(["']?)name\1[ \t]*:/.test(line)),
    ) + 1
  )
}
