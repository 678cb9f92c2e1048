// What an agent is called by its IDENTITY.md: in the frontmatter, or in a list as OpenClaw writes it (`- **Name:** Ada`).
// The list stays where it is in the text, so nothing here is told twice.
import type { SourceFile } from "./source.ts"

/** An item of a list with a label, bold or not, and what stands behind it. */
const NAMED = /^\s{0,8}[-*+]\s{1,8}[*_]{0,3}name[*_]{0,3}:[*_]{0,3}(.*)$/i

/** The name in the first file of the role `identity`; nothing, if it gives none. */
export function identityName(files: readonly SourceFile[]): string | undefined {
  const file = files.find(({ role }) => role === "identity")
  if (file === undefined) return undefined
  const { name } = file.fields
  return typeof name === "string" ? name : listedName(file.text)
}

function listedName(text: string): string | undefined {
  const lines = text.split("\n")
  const at = lines.findIndex((line) => NAMED.test(line))
  if (at === -1) return undefined
  const [, sameLine = ""] = NAMED.exec(lines[at] ?? "") ?? []
  // The value may stand in the next line, set in.
  const below = /^\s{1,8}(?![-*+]\s)(.*)$/.exec(lines[at + 1] ?? "")?.[1] ?? ""
  const value = plain(sameLine) || plain(below)
  // "(pick something you like)" is for whoever has not chosen yet.
  return value === "" || value.startsWith("(") ? undefined : value.slice(0, MAX_NAME)
}

const MAX_NAME = 100

function plain(value: string): string {
  return value
    .trim()
    .replace(/^[*_`]{1,3}|[*_`]{1,3}$/g, "")
    .trim()
}
