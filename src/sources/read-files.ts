// Reads the files of a program that has no workspace: a folder, one file or a glob, each file with its frontmatter and
// its provenance, through the same checks as a workspace's files. What is left out is reported.
import { homedir } from "node:os"
import { dirname } from "node:path"
import process from "node:process"
import type { Diagnostic } from "../base/diagnostic.ts"
import { IncipitError } from "../base/error.ts"
import { isTrust, TRUSTS, type Trust } from "../base/trust.ts"
import type { SourceFile } from "../core/model/source.ts"
import { type FilesBelow, filesBelow, pathBelow } from "../files/files-below.ts"
import { type Gate, openGate } from "../files/gate/gate.ts"
import { stateFolders } from "../files/paths.ts"
import { existingPathOf } from "../files/real-path.ts"
import { type FilesPlace, filesPlace } from "./read/files-place.ts"
import { type FileFound, readSourceFile, underGuard } from "./read/source-file.ts"
import type { Gathered } from "./workspace.ts"

/** What `readFiles` needs to know about the files: what they are for, and who may see them. */
export interface ReadFilesOptions {
  /** What the files are for. A section finds them by it: `allOf(agent.files, role)`. */
  readonly role: string
  /** Who may see a file whose frontmatter sets no `trust`. Default: public, which is everyone. */
  readonly trust?: Trust | undefined
}

/** More files in one section are a mistake. */
const MOST_FILES = 1000

/**
 * Reads a folder (its Markdown files and those in folders below it), one file, or a glob such as `rules/*.md`. Returns
 * `SourceFile`s in code-point order, and a diagnostic about everything that was left out or changed.
 *
 * Relative paths start at the working directory; for a path that starts at your module, pass
 * `new URL("rules", import.meta.url)`. Hidden files and `node_modules` are read only if a glob names them. Throws an
 * `IncipitError` with the path that it looked at if the folder or file does not exist.
 */
export function readFiles(place: string | URL, options: ReadFilesOptions): Gathered<readonly SourceFile[]> {
  return readPlace(filesPlace(place), options)
}

export function readPlace(
  at: FilesPlace,
  { role, trust = "public" }: ReadFilesOptions,
): Gathered<readonly SourceFile[]> {
  if (!isTrust(trust))
    throw new IncipitError("bad-files", `cannot read files: "${trust}" is not one of ${TRUSTS.join(", ")}`)
  const { paths, diagnostics } = at.kind === "file" ? ONE_FILE : listBelow(at)
  const asked = { at, role, trust, gate: gateOf(at) }
  const found = paths.map((way) => readOne(way, asked))
  return {
    value: found.flatMap(({ file }) => file ?? []),
    diagnostics: [...diagnostics, ...found.flatMap((one) => one.diagnostics)],
  }
}

interface Listed {
  /** Below the folder. The empty string is the place itself. */
  readonly paths: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

const ONE_FILE: Listed = { paths: [""], diagnostics: [] }

function listBelow(at: FilesPlace): Listed {
  const { path, written, skips, accepts, depth } = at
  const below = filesBelow(path, { roots: [path], skips, ...(depth !== undefined && { depth }) })
  const paths = below.paths.filter(accepts)
  const problems: Diagnostic[] = notLookedAt(below, at)
  if (paths.length === 0)
    problems.push({ code: "no-matching-files", path: written, isGlob: at.kind === "glob" })
  if (paths.length > MOST_FILES) problems.push({ code: "too-many-files", path: written, limit: MOST_FILES })
  return {
    paths: paths.slice(0, MOST_FILES),
    // Names of files that are not in the prompt are for the operator only.
    diagnostics: problems.map((problem) => ({ ...problem, needs: "full" })),
  }
}

function notLookedAt({ paths, links, unreadable, isCut }: FilesBelow, at: FilesPlace): Diagnostic[] {
  const outside = links.map((way): Diagnostic => {
    const target = existingPathOf(pathBelow(at.path, way)) ?? "a folder that is gone"
    return { code: "outside-roots", path: at.shown(way), target }
  })
  const unread = unreadable.map(
    ({ path, reason }): Diagnostic => ({ code: "source-unavailable", path: at.shown(path), reason }),
  )
  const [first, ...others] = at.kind === "folder" ? paths.filter((way) => !at.accepts(way)) : []
  const other: readonly Diagnostic[] =
    first === undefined
      ? []
      : [
          {
            ...{ code: "not-markdown", path: at.shown(first), glob: at.shown("**/*") },
            ...(others.length > 0 && { others: others.length }),
          },
        ]
  return [
    ...outside,
    ...unread,
    ...other,
    ...(isCut ? [{ code: "folder-too-large", path: at.written } as const] : []),
  ]
}

/** Keys, an agent's own state and hard links to either: recognised here as they are in a workspace. */
function gateOf({ kind, path }: FilesPlace): Gate {
  const state = stateFolders({ state: undefined, home: homedir(), env: process.env })
  return openGate({ stores: [], state, folders: [kind === "file" ? dirname(path) : path] })
}

interface Asked {
  readonly at: FilesPlace
  readonly role: string
  readonly trust: Trust
  readonly gate: Gate
}

function readOne(way: string, { at, gate, role, trust }: Asked): FileFound {
  const path = way === "" ? at.path : pathBelow(at.path, way)
  const shown = at.shown(way)
  const guard = gate.guardUnder(path)
  if (guard?.trust === "never") return leftOut({ code: "state-file", path: shown })
  const found = readSourceFile(path, { role, trust, shown, roots: [at.path], isOwn: true })
  const { file, diagnostics } = underGuard(found, guard)
  if (file === undefined && diagnostics.length === 0) return leftOut({ code: "file-gone", path: shown })
  if (file?.unavailable !== undefined)
    return {
      file,
      diagnostics: [{ code: "source-unavailable", path: shown, reason: file.unavailable, needs: file.trust }],
    }
  // Binary data, or text in UTF-16: without its NUL bytes it would be sent as noise.
  if (diagnostics.some(({ code }) => code === "nul-characters"))
    return leftOut({ code: "not-text", path: shown })
  return { file, diagnostics }
}

function leftOut(diagnostic: Diagnostic): FileFound {
  return { file: undefined, diagnostics: [{ ...diagnostic, needs: "full" }] }
}
