// Why something is in a prompt, or why not. The query is a section, a tool, a file or any piece of text. The answer
// comes from the report; gathered files are searched only for text that isn't in the prompt.
import { reasonOf } from "../../base/system-error.ts"
import type { Outcome } from "../model/plan.ts"
import type { SourceFile } from "../model/source.ts"
import { ownerAt } from "./diff.ts"
import type { Report, ReportSection } from "./report.ts"

/** One answer to "why is this in the prompt, or not?". */
export type Explanation =
  | { readonly kind: "section"; readonly section: ReportSection }
  | { readonly kind: "tool"; readonly name: string; readonly tokens: number; readonly outcome: Outcome }
  /** A file and the sections that use it. `tokens` is unknown for a part of a section. */
  | {
      readonly kind: "file"
      readonly path: string
      /** The other path of the same file that the query used. */
      readonly asked?: string
      readonly uses: readonly FileUse[]
      readonly fate: FileFate
    }
  /** One occurrence of the text, with the section that owns it and the line it comes from. */
  | {
      readonly kind: "text"
      readonly section: string
      readonly block: number
      readonly offset: number
      readonly path?: string
      readonly line?: number
    }

export interface FileUse {
  readonly section: string
  readonly lines: readonly [number, number]
  readonly characters: number
}

export type FileFate =
  | { readonly kind: "used" }
  | { readonly kind: "withheld"; readonly needs: string; readonly has: string; readonly why: string }
  /** It was gathered; what became of the section that reads it, if one does. */
  | { readonly kind: "unused"; readonly section?: string; readonly outcome: Outcome | undefined }
  /** It has no text in the prompt for a reason of its own. */
  | { readonly kind: "unread"; readonly why: Unread }

/** Why an existing file has no text in the prompt. */
export type Unread =
  /** It applies to files that match these globs, relative to the folder, and is sent once one of them is touched. */
  | { readonly kind: "held-rule"; readonly globs: readonly string[]; readonly folder: string }
  /** It is sent once a file below the folder is touched. */
  | { readonly kind: "nested"; readonly folder: string }
  /** Another file in its folder is read instead. */
  | { readonly kind: "shadowed"; readonly by: string }
  /** The same file as it is in the worktree that the working directory is in. */
  | { readonly kind: "other-branch"; readonly by: string }
  /** Another file is used in its section. */
  | { readonly kind: "instead"; readonly by: string }
  /** It has nothing but frontmatter, comments and white space. */
  | { readonly kind: "empty" }
  /** No section of the profile uses such files. */
  | { readonly kind: "no-section"; readonly profile: string }
  /** It would be read under another name. */
  | { readonly kind: "misspelt"; readonly as: string }
  /** It belongs to another program. */
  | { readonly kind: "other-program"; readonly program: string; readonly purpose: ForeignPurpose }
  /** It adds nothing to a file that is read. */
  | { readonly kind: "repeats"; readonly by: string }
  /** Instructions of a folder that the working directory is not in. */
  | { readonly kind: "elsewhere"; readonly folder: string }
  /** Instructions of a folder above the workspace, which has an incipit.yaml and so is read alone. */
  | { readonly kind: "above" }
  /** A skill that could be listed but isn't. */
  | { readonly kind: "skill"; readonly reason: "no-reader" | "mode" | "manual" | "name-taken" | "no-room" }
  /** A file next to skills, or a SKILL.md, that isn't a skill. */
  | {
      readonly kind: "no-skill"
      readonly reason: "no-description" | "note" | "ignored" | "place" | "command-place"
    }
  | { readonly kind: "part-of-skill"; readonly skill: string }
  | { readonly kind: "memory"; readonly store: string }
  /** It is for another person, channel, situation, agent or machine. */
  | { readonly kind: "other"; readonly what: string; readonly name: string }
  | { readonly kind: "workflow" }
  | { readonly kind: "configuration" }
  /** It was refused; a diagnostic has the reason. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "closed" }
  /** The profile has no convention or setting that reads it. `reads`: what another system's profile reads. */
  | { readonly kind: "not-read"; readonly profile: string; readonly reads?: string | undefined }

/** What a file of another program is for, which says what would bring it in. */
export const FOREIGN_PURPOSES = [
  "instructions",
  "rules",
  "skill",
  "command",
  "subagent",
  "plugin",
  "profile",
  "servers",
  "settings",
] as const
export type ForeignPurpose = (typeof FOREIGN_PURPOSES)[number]

/** More occurrences than this are of no use. */
const MAX_PLACES = 20

/** Answers why a section, a tool, a file or a piece of text is in a prompt, or why not. */
export function explain(report: Report, query: string, files: readonly SourceFile[]): readonly Explanation[] {
  if (query === "") return []
  const section = report.sections.find(({ id }) => id === query)
  if (section !== undefined) return [{ kind: "section", section }]
  const tool = report.tools.find(({ name }) => name === query)
  if (tool !== undefined)
    return [{ kind: "tool", name: tool.name, tokens: tool.tokens, outcome: tool.outcome }]
  const gathered = [...files, ...report.withheld].map(({ path }) => path)
  const named = [...new Set([...gathered, ...pathsIn(report)])].filter(
    (path) => path === query || path.endsWith(`/${query}`),
  )
  if (named.length > 0) return named.map((path) => explainFile(report, path, files))
  const found = places(report, query)
  if (found.length > 0) return found
  return files.filter(({ text }) => text.includes(query)).map(({ path }) => explainFile(report, path, files))
}

/** The paths of files with text in the prompt. Callers that have only the prompt don't know what was gathered. */
function pathsIn({ sections }: Report): readonly string[] {
  return sections.flatMap(({ spans }) =>
    spans.flatMap(({ from }) => (from !== undefined && "path" in from ? [from.path] : [])),
  )
}

export function explainFile(
  report: Report,
  path: string,
  files: readonly SourceFile[],
): Extract<Explanation, { kind: "file" }> {
  const uses = report.sections.flatMap(({ id, spans }) =>
    spans.flatMap(({ start, end, from }): FileUse[] =>
      from !== undefined && "path" in from && from.path === path
        ? [{ section: id, lines: from.lines, characters: end - start }]
        : [],
    ),
  )
  return { kind: "file", path, uses, fate: uses.length > 0 ? { kind: "used" } : fateOf(report, path, files) }
}

function fateOf(report: Report, path: string, files: readonly SourceFile[]): FileFate {
  const hidden = report.withheld.find((item) => item.path === path)
  if (hidden !== undefined)
    return { kind: "withheld", needs: hidden.needs, has: report.trust, why: hidden.why }
  const file = files.find((one) => one.path === path)
  if (file?.unavailable !== undefined && file.text === "")
    return {
      kind: "unread",
      why: { kind: "refused", reason: `It cannot be read right now: ${reasonOf(file.unavailable)}.` },
    }
  if (file !== undefined && file.text.trim() === "") return { kind: "unread", why: { kind: "empty" } }
  const section = report.sections.find(({ id }) => id === file?.role)
  return { kind: "unused", ...(section && { section: section.id }), outcome: section?.outcome }
}

function places(report: Report, text: string): readonly Explanation[] {
  const found: Explanation[] = []
  for (const [block, { text: whole }] of report.blocks.entries()) {
    for (
      let at = whole.indexOf(text);
      at !== -1 && found.length < MAX_PLACES;
      at = whole.indexOf(text, at + 1)
    ) {
      const owner = ownerAt(report, block, at)
      if (owner !== undefined) found.push({ kind: "text", ...owner })
    }
  }
  return found
}
