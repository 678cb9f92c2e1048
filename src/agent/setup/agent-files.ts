// The agent's own texts that its tools may change: instructions and responsibilities, wherever the workspace's system
// keeps them. A change there reaches the prompt.
import { basename, dirname, join } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf, writeTarget } from "../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { readBytes, withSafeFile } from "../../files/safe-file.ts"
import { shownPath } from "../../sources/config/configured-trust.ts"
import { type EditablePlaces, incipitPlaces, type Rewritten } from "../../sources/systems/editable-places.ts"
import type { System } from "../../sources/systems/system.ts"
import { rootsOf, type Workspace } from "../../sources/workspace.ts"
import { type AgentTexts, ToolFailure } from "../../tools/host.ts"

/** What is read now, and from where. */
export interface Reading {
  readonly workspace: Workspace
  readonly system: System
}

export function placesIn({ workspace, system }: Reading): EditablePlaces {
  return (system.places ?? incipitPlaces)(workspace)
}

export function agentTexts(now: () => Reading): AgentTexts {
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
      const { path, write } = placesIn(now()).instructions
      replaceText(path, written(write(textIn(path), text)), now().workspace)
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

/** None of these files is larger. */
const MOST_BYTES = 1024 * 1024

function replaceText(path: string, text: string, workspace: Workspace): void {
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
export function textAt(path: string, workspace: Workspace): string | undefined {
  // A JSON file is written back whole, and behind a link it may belong to another program.
  const followsLinks = !path.endsWith(".json")
  const options = { followsLinks, mostBytes: MOST_BYTES, roots: realRoots(workspace) }
  const found = withSafeFile(path, options, (file) => readBytes(file).toString("utf8"))
  if (found.kind === "opened") return found.value
  if (found.kind === "absent") return undefined
  const why = found.kind === "unavailable" ? found.reason : found.refused.why
  throw new ToolFailure(`${basename(path)} cannot be read (${why}).`)
}
