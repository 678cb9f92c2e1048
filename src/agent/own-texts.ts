// The agent's own texts, as its tools may change them: instructions and responsibilities, wherever the system whose
// files are read keeps them. What is changed there is what the prompt sends.

import { basename, dirname, join } from "node:path"
import { errorCode } from "../core/system-error.ts"
import { realPathOf } from "../files/real-path.ts"
import { NotReplaced, replaceFile } from "../files/replace-file.ts"
import { readBytes, withSafeFile } from "../files/safe-file.ts"
import { shownPath } from "../sources/configured-trust.ts"
import { incipitPlaces, type OwnPlaces, type Rewritten } from "../sources/own-places.ts"
import type { System } from "../sources/system.ts"
import type { Workspace } from "../sources/workspace.ts"
import { type OwnTexts, ToolFailure } from "../tools/host.ts"

/** What is read now, and where. */
export interface Reading {
  readonly workspace: Workspace
  readonly system: System
}

export function placesIn({ workspace, system }: Reading): OwnPlaces {
  return (system.places ?? incipitPlaces)(workspace)
}

export function ownTexts(now: () => Reading): OwnTexts {
  const shown = (path: string) => shownPath(path, now().workspace)
  return {
    instructions() {
      const { path, part, read, write } = placesIn(now()).instructions
      // Nobody is asked to agree to what can't be written.
      written(write(textAt(path), ""))
      return { path: `${shown(path)}${part === undefined ? "" : `#${part}`}`, text: read(textAt(path)) }
    },
    writeInstructions(text) {
      const { path, write } = placesIn(now()).instructions
      replaceText(path, written(write(textAt(path), text)))
    },
    responsibilities() {
      const { responsibilities } = placesIn(now())
      return responsibilities?.titles(textAt(responsibilities.path)) ?? []
    },
    withoutResponsibility(title) {
      const { responsibilities } = placesIn(now())
      if (responsibilities === undefined) return undefined
      const before = textAt(responsibilities.path) ?? ""
      const after = responsibilities.without(before, title)
      return after === undefined ? undefined : { path: shown(responsibilities.path), before, after }
    },
    writeResponsibilities(text) {
      const { responsibilities } = placesIn(now())
      if (responsibilities !== undefined) replaceText(responsibilities.path, text)
    },
  }
}

function written(made: Rewritten): string {
  if (made.kind === "problem") throw new ToolFailure(`Nothing was written: ${made.problem}.`)
  return made.text
}

/** No larger file is one of these. */
const MOST_BYTES = 1024 * 1024

function replaceText(path: string, text: string): void {
  // The home folder may be reached by a link; the file itself may not be one.
  const folder = realPathOf(dirname(path)) ?? dirname(path)
  try {
    replaceFile({ path: join(folder, basename(path)), before: "any", after: Buffer.from(text) })
  } catch (error) {
    const code = error instanceof NotReplaced ? error.why : errorCode(error)
    if (code === undefined) throw error
    throw new ToolFailure(`${basename(path)} cannot be changed (${code}).`)
  }
}

/** Returns undefined for a file that is not there. */
export function textAt(path: string): string | undefined {
  // A JSON file is written back with all that it holds: behind a link, that may be somebody else's.
  const options = { followsLinks: !path.endsWith(".json"), mostBytes: MOST_BYTES }
  const found = withSafeFile(path, options, (file) => readBytes(file).toString("utf8"))
  if (found.kind === "opened") return found.value
  if (found.kind === "absent") return undefined
  const why = found.kind === "unavailable" ? found.reason : found.refused.why
  throw new ToolFailure(`${basename(path)} cannot be read (${why}).`)
}
