// Watches the folders that a prompt is built from, and reports changes. Changes that arrive together are reported once;
// an editor's rename over a file is one change.
import { type FSWatcher, watch } from "chokidar"
import { isInside } from "../../files/inside.ts"
import { isWrittenByUs } from "../../files/paths.ts"

export interface Watcher {
  /** Resolves when the folders are being watched. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

const SETTLE_MS = 80
/** Real folders are not deeper. In maliciously deep ones, memory use grows with the square of the depth. */
const MAX_DEPTH = 64

export function watchFolders(
  folders: readonly string[],
  changed: (paths: readonly string[]) => void,
): Watcher {
  const watcher: FSWatcher = watch([...folders], {
    ignoreInitial: true,
    depth: MAX_DEPTH,
    // A link may lead to the whole disk or form a circle. Targets inside a watched folder are watched anyway.
    followSymlinks: false,
    // Includes our own databases and plans: writing them in response to a change is not a change.
    ignored: (path) =>
      /(^|[/\\])(?:node_modules|\.git)([/\\]|$)/.test(path) ||
      isWrittenByUs(path) ||
      !folders.some((folder) => isInside(path, folder)),
  })
  // Ignore errors: what cannot be watched is skipped, the rest is watched. For example, chokidar takes a backslash in a
  // name for a slash, and a folder called `..\\..` for its own parent.
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
