// Finds state that came with a folder: left there by Incipit 0.1.0, or prepared by someone else. This file only reports
// that the state exists; it never opens it.
import { lstatSync } from "node:fs"
import { basename, join } from "node:path"
import { errorCode } from "../base/system-error.ts"
import { INCIPIT_FOLDER, travellingState } from "./paths.ts"

export interface FoundState {
  readonly kind: "store" | "record" | "history"
  readonly path: string
  /** The path to show to the user, relative to the workspace. */
  readonly shown: string
  readonly bytes: number
  /** Links, pipes and folders are never read. */
  readonly isFile: boolean
}

/** Lists state that would act or remember if it were adopted. A memory index is left out: it can be rebuilt. */
export function foundState(workspace: string): readonly FoundState[] {
  // If `.incipit` is a link, its state belongs to another folder.
  if (statOf(join(workspace, INCIPIT_FOLDER))?.isDirectory() !== true) return []
  const files = travellingState(workspace)
  return (["store", "record", "history"] as const).flatMap((kind) => {
    const path = files[kind]
    const stat = statOf(path)
    if (stat === undefined) return []
    return {
      kind,
      path,
      shown: `${INCIPIT_FOLDER}/${basename(path)}`,
      bytes: stat.size,
      isFile: stat.isFile(),
    }
  })
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
