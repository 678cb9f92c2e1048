// The agent's own texts that its tools may change: instructions and responsibilities, wherever the workspace's system
// keeps them. A change there reaches the prompt.
import { basename, dirname, join, relative, sep } from "node:path"
import type { Digest } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf, writeTarget } from "../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { readBytes, withSafeFile } from "../../files/safe-file.ts"
import { shownPath } from "../../sources/config/configured-trust.ts"
import { documentStore, documentsFolder, FIXED, isFixed, readPlace } from "../../sources/documents.ts"
import { type EditablePlaces, incipitPlaces, type Rewritten } from "../../sources/systems/editable-places.ts"
import type { System } from "../../sources/systems/system.ts"
import { rootsOf, type Workspace } from "../../sources/workspace.ts"
import { type AgentTexts, ToolFailure } from "../../tools/host.ts"
import type { SharedDocuments } from "../../workspace/documents/shared-documents.ts"

/** What is read now, and from where. */
export interface Reading {
  readonly workspace: Workspace
  readonly system: System
}

export function placesIn({ workspace, system }: Reading): EditablePlaces {
  return (system.places ?? incipitPlaces)(workspace)
}

/** `documents`: those of the workspace, if they are in a database. */
export function agentTexts(now: () => Reading, documents?: SharedDocuments): AgentTexts {
  const shown = (path: string) => shownPath(path, now().workspace)
  const textIn = (path: string) => textAt(path, now().workspace)
  return {
    instructions() {
      const { path, part, read, write } = placesIn(now()).instructions
      // Check that the text can be written before asking the user to approve it.
      written(write(textIn(path), ""))
      return { path: `${shown(path)}${part === undefined ? "" : `#${part}`}`, text: read(textIn(path)) }
    },
    writeInstructions(text) {
      const { workspace } = now()
      const { path, write } = placesIn(now()).instructions
      const way = relative(workspace.folder, path).split(sep).join("/")
      if (documents === undefined || documentStore(way) === undefined)
        return replaceText(path, written(write(textIn(path), text)), workspace)
      // Asked before the text is read: if another process writes in between, this is a conflict.
      const expects = documents.digestOf(way)
      return writeDocument(documents, { path: way, text: written(write(textIn(path), text)), expects })
    },
    responsibilities() {
      const { responsibilities } = placesIn(now())
      return responsibilities?.titles(textIn(responsibilities.path)) ?? []
    },
    withoutResponsibility(title) {
      const { responsibilities } = placesIn(now())
      if (responsibilities === undefined) return undefined
      const before = textIn(responsibilities.path) ?? ""
      const after = responsibilities.without(before, title)
      return after === undefined ? undefined : { path: shown(responsibilities.path), before, after }
    },
    writeResponsibilities(text) {
      const { responsibilities } = placesIn(now())
      if (responsibilities !== undefined) replaceText(responsibilities.path, text, now().workspace)
    },
  }
}

function written(made: Rewritten): string {
  if (made.kind === "problem") throw new ToolFailure(`Nothing was written: ${made.problem}.`)
  return made.text
}

interface DocumentChange {
  readonly path: string
  readonly text: string
  readonly expects: Digest | undefined
}

async function writeDocument(
  documents: SharedDocuments,
  { path, text, expects }: DocumentChange,
): Promise<void> {
  try {
    if ((await documents.write(path, text, { expects })) === "conflict")
      throw new ToolFailure(`${path} was changed in the meantime, so nothing was written.`)
    await documents.catchUp({ trust: "full" })
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    throw new ToolFailure(`${path} cannot be changed now.`, { detail: error.message })
  }
}

/** None of these files is larger. */
const MOST_BYTES = 1024 * 1024

function replaceText(path: string, text: string, workspace: Workspace): void {
  if (isFixed(workspace, path)) throw new ToolFailure(`${basename(path)} was not changed: ${FIXED}.`)
  try {
    replaceFile({ path: ownPath(path, workspace), before: "any", after: Buffer.from(text) })
  } catch (error) {
    const code = error instanceof NotReplaced ? error.why : errorCode(error)
    if (code === undefined) throw error
    throw new ToolFailure(`${basename(path)} cannot be changed (${code}).`)
  }
}

/**
 * Where the file is written. The home folder may be reached by a link, but the file itself must not be one, and no
 * folder of the workspace may lead out of it: the user who approved was shown a path in the workspace.
 */
export function ownPath(path: string, workspace: Workspace): string {
  const folder = writeTarget(dirname(path))
  if (folder === undefined || !realRoots(workspace).some((root) => isInside(folder, root)))
    throw new ToolFailure(`${basename(path)} cannot be changed (its folder leads out of the workspace).`)
  return join(folder, basename(path))
}

/** The folders that the prompt is read from. */
function realRoots(workspace: Workspace): readonly string[] {
  return rootsOf(workspace).map((root) => existingPathOf(root) ?? root)
}

/** Returns undefined if the file does not exist. */
export function textAt(given: string, workspace: Workspace): string | undefined {
  const path = readPlace(workspace, given)
  const roots = path === given ? realRoots(workspace) : [documentsFolder(workspace)]
  // A JSON file is written back whole, and behind a link it may belong to another program.
  const followsLinks = !path.endsWith(".json")
  const options = { followsLinks, mostBytes: MOST_BYTES, roots }
  const found = withSafeFile(path, options, (file) => readBytes(file).toString("utf8"))
  if (found.kind === "opened") return found.value
  if (found.kind === "absent") return undefined
  const why = found.kind === "unavailable" ? found.reason : found.refused.why
  throw new ToolFailure(`${basename(path)} cannot be read (${why}).`)
}
