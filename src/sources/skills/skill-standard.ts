// Checks what the Agent Skills standard requires beyond listing a skill: a name, a description of limited length, no
// custom fields. Runs only when a workspace is checked; nothing else depends on it.
import { dirname } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Skill } from "../../core/model/inputs.ts"
import { readSource } from "../read/file.ts"
import { splitFrontMatter } from "../read/frontmatter.ts"
import { inspectText } from "../read/inspect.ts"

const MAX_DESCRIPTION = 1024

/** Fields of the standard. */
const STANDARD = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"]
/** Fields of widely used clients, and those with which the user's own skill restricts who sees it. */
const KNOWN: ReadonlySet<string> = new Set([
  ...STANDARD,
  ...[
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "model",
    "effort",
    "context",
  ],
  ...["agent", "hooks", "paths", "shell", "when_to_use", "version", "disallowed-tools", "homepage"],
  ...["trust", "situations", "audience"],
])

/** The skills have been gathered, so the audience may see them. The standard does not cover commands and notes. */
export function skillStandard(skills: readonly Skill[]): readonly Diagnostic[] {
  return skills
    .filter(({ path }) => path.endsWith("/SKILL.md"))
    .flatMap((skill) => diagnosticsOf(skill).map((diagnostic) => ({ ...diagnostic, needs: skill.trust })))
}

function diagnosticsOf(skill: Skill): readonly Diagnostic[] {
  const { path, location, name } = skill
  const found = readSource(location, { roots: [dirname(location)], shown: path })
  if (found.kind !== "read") return []
  const { text } = inspectText(found.text, { path, firstLine: 1, isOwn: true })
  const { fields, firstLine } = splitFrontMatter(text, path)
  // Without any frontmatter, the diagnostic about the missing description is enough.
  if (Object.keys(fields).length === 0) return []
  const head = text.split("\n", firstLine - 1)
  const isNameless = fields.name === undefined || fields.name === null
  return [
    ...(isNameless ? [{ code: "skill-without-name", path, name } as const] : []),
    ...longDescription(fields.description, path, head),
    ...oddFields(fields, path, head),
  ]
}

function longDescription(description: unknown, path: string, head: readonly string[]): readonly Diagnostic[] {
  const characters = typeof description === "string" ? [...description.trim()].length : 0
  if (characters <= MAX_DESCRIPTION) return []
  const line = lineOf("description", head)
  return [{ code: "skill-description-long", path, line, characters, limit: MAX_DESCRIPTION }]
}

/** The most keys to name in a diagnostic. */
const MAX_KEYS = 5
const MAX_KEY_LENGTH = 40

function oddFields(
  fields: Readonly<Record<string, unknown>>,
  path: string,
  head: readonly string[],
): readonly Diagnostic[] {
  const odd = Object.keys(fields).filter((key) => !KNOWN.has(key))
  const [first] = odd
  if (first === undefined) return []
  const named = odd.slice(0, MAX_KEYS).map((key) => JSON.stringify(key.slice(0, MAX_KEY_LENGTH)))
  return [{ code: "skill-field-unknown", path, line: lineOf(first, head), keys: named.join(", ") }]
}

/** Returns 1 if the frontmatter writes the key in an unusual form. */
function lineOf(key: string, head: readonly string[]): number {
  const starts = [key, `"${key}"`, `'${key}'`]
  const at = head.findIndex((line) =>
    starts.some((start) => line.startsWith(start) && /^[ \t]*:/.test(line.slice(start.length))),
  )
  return Math.max(0, at) + 1
}
