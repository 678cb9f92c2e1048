// Watches the folders that a prompt is made from, and says when something changed. Changes that come together
// are told once; an editor's rename over a file is one change.
import { type FSWatcher, watch } from "chokidar"
import { isInside } from "../../files/inside.ts"
import { isWrittenByUs } from "../../files/paths.ts"

export interface Watcher {
  /** Resolves when the folders are watched. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

const SETTLE_MS = 80
/** Folders that people make are not deeper. In ones that are made to be, the memory taken grows with the square of the depth. */
const MAX_DEPTH = 64

export function watchFolders(
  folders: readonly string[],
  changed: (paths: readonly string[]) => void,
): Watcher {
  const watcher: FSWatcher = watch([...folders], {
    ignoreInitial: true,
    depth: MAX_DEPTH,
    // A link may lead to the whole disk, or around in a circle. What it leads to inside of a folder is watched anyway.
    followSymlinks: false,
    // Databases and plans of our own among them: what is written because of a change is no change.
    ignored: (path) =>
      /(^|[/\\])(?:node_modules|\.git)([/\\]|$)/.test(path) ||
      isWrittenByUs(path) ||
      !folders.some((folder) => isInside(path, folder)),
  })
  // What cannot be watched is not told of; the rest is. Chokidar takes a backslash in a name for a slash, for one, and a
  // folder called `..\\..` for one that holds itself.
  watcher.on("error", () => {})
  let pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  watcher.on("all", (_event, path) => {
    pending.add(path)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const paths = [...pending].sort()
      pending = new Set()
      changed(paths)
    }, SETTLE_MS)
  })
  return {
    ready: new Promise((done) => watcher.once("ready", () => done())),
    close: async () => {
      clearTimeout(timer)
      await watcher.close()
    },
  }
}
