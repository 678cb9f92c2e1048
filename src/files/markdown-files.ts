// Lists the Markdown files below a folder.
import { type FilesBelow, filesBelow } from "./files-below.ts"

export interface MarkdownOptions {
  /** Follows links that lead into these real folders; if absent, follows none. */
  readonly roots?: readonly string[]
  /** Whether to skip names that start with a dot. */
  readonly skipsHidden?: boolean
  /** Paths of folders to skip. */
  readonly without?: ReadonlySet<string>
}

/** Paths are relative to the folder, with `/`, in code-point order. */
export type MarkdownFiles = Pick<FilesBelow, "paths" | "links" | "folders">

export function markdownFiles(folder: string, options: MarkdownOptions = {}): MarkdownFiles {
  const { roots, without, skipsHidden = false } = options
  const skips = (name: string) => skipsHidden && name.startsWith(".")
  const { paths, links, folders } = filesBelow(folder, { roots, without, skips })
  // The empty string is the folder itself: a link that leads out, which reading it reports.
  return { paths: paths.filter((path) => path === "" || path.endsWith(".md")), links, folders }
}
