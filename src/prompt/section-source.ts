// Where the text of a section comes from, in a few words for a table.
import type { Entry } from "../core/model/plan.ts"
import type { PromptSection } from "./prompt-inputs.ts"

/** More would make a table unreadable. */
const MAX_PATHS = 3

export function sourceOf({ spans }: Entry, section: PromptSection | undefined): string {
  const read = spans.flatMap(({ from }) => (from?.kind === "file" ? [from.path] : []))
  const source = section !== undefined && "source" in section ? section.source : undefined
  const known = source?.kind === "files" ? source.files.map(({ path }) => path) : []
  const paths = [...new Set(read.length > 0 ? read : known)]
  if (paths.length === 0) return source?.kind ?? "spec"
  const more = paths.length - MAX_PATHS
  return paths.slice(0, MAX_PATHS).join(", ") + (more > 0 ? ` and ${more} more` : "")
}
