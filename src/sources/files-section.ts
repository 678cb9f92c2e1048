// `files`: a folder of files as a section of `definePrompt`.
import type { Diagnostic } from "../base/diagnostic.ts"
import { bodyContent, type SourceFile } from "../core/model/source.ts"
import { filesContent } from "../profiles/parts.ts"
import type { DefinedSection, SectionOptions } from "../prompt/defined-section.ts"
import { filesPlace } from "./read/files-place.ts"
import { readPlace } from "./read-files.ts"

/**
 * A section of `definePrompt` made from the Markdown files of a folder, from one file, or from the files that a glob
 * matches. They are read once, now, as `readFiles` does. Each file of a folder is in a tag with its path.
 *
 * A file's frontmatter can require more trust than the section, or limit the file to some situations. If the section is
 * one file, its `priority`, `on_change` and `max_tokens` count as well.
 */
export function files(place: string | URL, options: SectionOptions<"stable"> = {}): DefinedSection<"stable"> {
  const at = filesPlace(place)
  const isOne = at.kind === "file"
  const { value, diagnostics } = readPlace(at, { role: "files", trust: options.trust })
  const found = diagnostics.filter((diagnostic) => !isToldByCompiler(diagnostic, value))
  return {
    pace: "stable",
    options: { voice: "operator", ...options },
    source: {
      kind: "files",
      files: value,
      diagnostics: isOne ? found : [...found, ...value.flatMap(keysWithoutEffect)],
      write: isOne ? ([file]) => bodyContent(file) : filesContent,
    },
  }
}

/** The compiler reports the files of a section that cannot be read, with every prompt. */
function isToldByCompiler(diagnostic: Diagnostic, files: readonly SourceFile[]): boolean {
  return diagnostic.code === "source-unavailable" && files.some(({ path }) => path === diagnostic.path)
}

/** They are about a whole section, and this one has other files, too. */
function keysWithoutEffect({ path, priority, onChange, maxTokens }: SourceFile): readonly Diagnostic[] {
  const keys = { priority, on_change: onChange, max_tokens: maxTokens }
  return Object.entries(keys).flatMap(([key, value]) =>
    value === undefined ? [] : [{ code: "key-without-effect", path, key, needs: "full" } as const],
  )
}
