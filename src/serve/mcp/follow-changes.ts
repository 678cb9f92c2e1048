// Tells a client when what it could list has changed: the files and skills that it may see. A change of anything else
// says nothing, or a client could count what it may not see.
import { watchFolders } from "../../sources/read/watch.ts"
import type { McpView } from "./mcp-view.ts"
import { seenWorkspace } from "./offers/seen-workspace.ts"

export interface ListChanges {
  readonly resources: () => void
  readonly prompts: () => void
}

/** Until the returned function is called. */
export function followChanges(view: McpView, folder: string, changed: ListChanges): () => void {
  let isOver = false
  let last: Promise<Lists | undefined> = listsOf(view)
  const look = () => {
    last = last.then(async (before) => {
      const now = isOver ? before : await listsOf(view)
      if (isOver || now === undefined) return before
      if (before !== undefined && now.files !== before.files) changed.resources()
      if (before !== undefined && now.skills !== before.skills) changed.prompts()
      return now
    })
  }
  const watcher = watchFolders([folder], look)
  return () => {
    isOver = true
    void watcher.close()
  }
}

interface Lists {
  readonly files: string
  readonly skills: string
}

/** Undefined while the workspace cannot be read: what was listed before still holds. */
function listsOf(view: McpView): Promise<Lists | undefined> {
  return seenWorkspace(view).then(
    ({ files, skills }) => ({
      files: JSON.stringify(files.map(({ path }) => path)),
      skills: JSON.stringify(skills.map(({ name, description, digest }) => [name, description, digest])),
    }),
    () => undefined,
  )
}
