// The agent's name from IDENTITY.md: in the frontmatter, or in a list as OpenClaw writes it (`- **Name:** Ada`). The
// list item also stays in the text, so don't tell the name again.
import type { SourceFile } from "./source.ts"

/** A list item with the label "name", bold or not, and the text after it. */
const NAMED = /^\s{0,8}[-*+]\s{1,8}[*_]{0,3}name[*_]{0,3}:[*_]{0,3}(.*)$/i

/** The name in the first file with the role `identity`. Returns undefined if it has none. */
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
  // The value may be on the next line, indented.
  const below = /^\s{1,8}(?![-*+]\s)(.*)$/.exec(lines[at + 1] ?? "")?.[1] ?? ""
  const value = plain(sameLine) || plain(below)
  // "(pick something you like)" is a placeholder.
  return value === "" || value.startsWith("(") ? undefined : value.slice(0, MAX_NAME)
}

const MAX_NAME = 100

function plain(value: string): string {
  return value
    .trim()
    .replace(/^[*_`]{1,3}|[*_`]{1,3}$/g, "")
    .trim()
}
