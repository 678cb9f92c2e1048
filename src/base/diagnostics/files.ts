// About files that the prompt is made of: whether they can be read, what they import, and characters in their text.
import { reasonOf } from "../system-error.ts"
import { type At, error, hint, type In, warning } from "./kind.ts"

function charactersHere(count: number, what: string, kinds?: string): string {
  const which = kinds === undefined ? "" : ` (${kinds})`
  return count === 1
    ? `has 1 ${what} character${which} here`
    : `has ${count} ${what} characters${which}, the first of them here`
}

const removed = (count: number) => (count === 1 ? "It was removed." : "They were removed.")

export const FILE_DIAGNOSTICS = {
  "source-unavailable": warning(
    (d: In & { readonly reason: string }) =>
      `cannot be read right now: ${reasonOf(d.reason)}. A running agent keeps the text it had.`,
  ),
  "file-too-large": error(
    (d: In & { readonly bytes: number; readonly limit: number }) =>
      `has ${d.bytes} bytes; files of up to ${d.limit} bytes are read. It was left out.`,
  ),
  "not-a-regular-file": warning((_d: In) => "is not a regular file. It was left out."),
  "foreign-file": warning(
    (_d: In) =>
      "belongs to another user and is in a folder that anyone can write to. It was left out. Move it or change its owner.",
  ),
  "memory-link": warning(
    (_d: In) =>
      "is a link. Memory is read from real files and folders only, so it was left out. Move the files there.",
  ),
  "outside-roots": warning(
    (d: In & { readonly target: string }) =>
      `leads outside the folders that may be read, to ${d.target}. It was left out.`,
  ),
  "no-matching-files": warning((d: In & { readonly isGlob: boolean }) =>
    d.isGlob
      ? "matches no file."
      : "has no Markdown files. To read other files, use a glob that names them, such as *.txt.",
  ),
  "not-markdown": hint(
    (d: In & { readonly glob: string }) =>
      `is not Markdown, so it was left out. To read all files, use the glob ${d.glob}`,
  ),
  "folder-too-large": warning(
    (_d: In) => "has too many files or too deep folders to look through all of them. Use a narrower glob.",
  ),
  "file-gone": warning(
    (_d: In) => "cannot be found: it is a broken link, or was just deleted. It was left out.",
  ),
  "not-text": error(
    (_d: In) =>
      "contains NUL bytes, so it is a binary file or not in UTF-8. It was left out. Save it as UTF-8 text.",
  ),
  "key-without-effect": warning(
    (d: In & { readonly key: string }) =>
      `"${d.key}" has no effect in a section of several files. Give the file a section of its own, or set it in the options of files().`,
  ),
  "state-file": warning(
    (_d: In) => "belongs to the state of an agent, which is never sent. It was left out.",
  ),
  "invalid-utf8": warning((_d: In) => "is not valid UTF-8. Invalid bytes are sent as U+FFFD."),
  "legacy-files": hint(
    (d: In & { readonly target: string }) =>
      `is an old file that ${d.target} replaces. It is sent as part of the base; move its text to ${d.target}.`,
  ),
  "file-shadowed": warning(
    (d: In & { readonly by: string; readonly isChoice?: true }) =>
      `is ignored because ${d.by} takes its place${d.isChoice === true ? ". To read both, set prompt.context: all." : ""}`,
  ),
  "prompt-file-missing": error((_d: In) => "file not found. It is named under prompt.files."),
  "no-files": hint(
    (_d: In) =>
      "has no instructions: no AGENTS.md, CLAUDE.md, SOUL.md or skills, here or in the working directory. The prompt has only the bundled texts; `incipit init` writes a first set of files.",
  ),
  "file-misspelt": warning(
    (d: In & { readonly as: string }) => `is not read: names are case-sensitive. Rename it to ${d.as}.`,
  ),
  "foreign-files": hint(
    (d: In & { readonly instructions: string }) =>
      `has instructions that only other programs read: ${d.instructions}. To send a file, list it under prompt.files.`,
  ),
  "foreign-skills": hint(
    (d: In & { readonly skills: string }) =>
      `has skills that only other programs read: ${d.skills}. To list a skill, move or link its folder into .agents/skills/.`,
  ),
  "too-many-files": warning(
    (d: In & { readonly limit: number }) => `has more than ${d.limit} files. The rest was not read.`,
  ),
  "import-missing": warning(
    (d: At & { readonly target: string }) =>
      `imports ${d.target}, which does not exist. The line is sent as written.`,
  ),
  "import-outside": warning(
    (d: At & { readonly target: string }) =>
      `imports ${d.target}, which is outside the folders that may be read. The line is sent as written.`,
  ),
  "import-too-deep": warning(
    (d: At & { readonly target: string; readonly limit: number }) =>
      `imports ${d.target}, which is more than ${d.limit} imports deep. The line is sent as written.`,
  ),
  "import-cycle": warning(
    (d: At & { readonly target: string }) =>
      `imports ${d.target}, which imports this file. The line is sent as written.`,
  ),
  "invisible-characters": warning((d: At & { readonly kinds: string; readonly count: number }) =>
    charactersHere(d.count, "invisible", d.kinds),
  ),
  "invisible-removed": warning(
    (d: At & { readonly kinds: string; readonly count: number }) =>
      `${charactersHere(d.count, "invisible", d.kinds)}. ${removed(d.count)}`,
  ),
  "looks-like-injection": warning(
    (d: At & { readonly phrase: string }) =>
      `says "${d.phrase}", which reads like a prompt injection. It was not removed; check it.`,
  ),
  "control-characters": warning(
    (d: At & { readonly count: number; readonly kinds: string }) =>
      `${charactersHere(d.count, "control", d.kinds)}. ${removed(d.count)}`,
  ),
  "escaped-characters": warning(
    (_d: At) => "a value contains escaped control characters or hidden text. They were removed.",
  ),
  "comment-not-closed": warning((_d: At) => "a comment begins with <!-- and has no -->. It is sent as text."),
  "nul-characters": warning(
    (d: At & { readonly count: number }) => `${charactersHere(d.count, "NUL")}. ${removed(d.count)}`,
  ),
  "very-long-line": hint(
    (d: At & { readonly length: number }) =>
      `has a line of ${d.length} characters. Texts are truncated by whole lines, so it is sent whole or not at all.`,
  ),
  "git-unavailable": warning(
    (d: In & { readonly reason: string }) => `git's state cannot be read (${d.reason})`,
  ),
} as const
