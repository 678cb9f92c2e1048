// The state that a folder brings with it, as Incipit 0.1.0 left it there or as somebody prepared it. Nothing of it is
// opened here: it is only said that it is there.
import { lstatSync } from "node:fs"
import { basename, join } from "node:path"
import { errorCode } from "../base/system-error.ts"
import { INCIPIT_FOLDER, travellingState } from "./paths.ts"

export interface FoundState {
  readonly kind: "store" | "record" | "history"
  readonly path: string
  /** As people know it, from the workspace on. */
  readonly shown: string
  readonly bytes: number
  /** Links, pipes and folders are never read. */
  readonly isFile: boolean
}

/** What a folder brings that would act or remember, if it were adopted. An index of memory is not worth it. */
export function foundState(workspace: string): readonly FoundState[] {
  // Through a link it would be another folder's.
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
