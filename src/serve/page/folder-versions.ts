// The prompt of a folder as it is now, compiled again when something in the folder changes. Keeps the last versions, each
// other than the one before.
import type { Report } from "../../core/read/report.ts"
import { watchFolders } from "../../sources/read/watch.ts"
import type { Compiled, NumberedVersion } from "./compiled-source.ts"

export interface FolderVersionsOptions {
  readonly folder: string
  /** Compiles what is there now; throws an error that says what is wrong. */
  readonly compile: () => Promise<Report>
  /** One line about what was thrown. */
  readonly problem: (error: unknown) => string
  readonly now: () => number
}

export interface FolderVersions {
  versions(): Promise<readonly NumberedVersion[]>
  /** Calls the listener when there is another version. */
  watch(listener: () => void): () => void
}

const MOST_KEPT = 20

export function folderVersions({ folder, compile, problem, now }: FolderVersionsOptions): FolderVersions {
  let kept: readonly NumberedVersion[] = []
  let running: Promise<boolean> | undefined
  const add = (compiled: Compiled): boolean => {
    const last = kept.at(-1)
    if (last !== undefined && isSame(last, compiled)) return false
    kept = [...kept, { ...compiled, number: (last?.number ?? 0) + 1 }].slice(-MOST_KEPT)
    return true
  }
  const compileNow = () =>
    compile().then(
      (report) => add({ report, error: null, at: now() }),
      (error: unknown) => add({ report: undefined, error: problem(error), at: now() }),
    )
  // One after the other: a change while compiling is compiled afterwards.
  const again = () => {
    running = (running ?? Promise.resolve(false)).then(compileNow)
    return running
  }
  let watchers = 0
  return {
    async versions() {
      // While nobody watches, nobody says when something has changed.
      await (watchers > 0 && running !== undefined ? running : again())
      return kept
    },
    watch(listener) {
      const look = () => void again().then((isNew) => isNew && listener())
      const watcher = watchFolders([folder], look)
      watchers += 1
      // What changed before it was watched.
      void watcher.ready.then(look)
      return () => {
        watchers -= 1
        void watcher.close()
      }
    },
  }
}

/** Apart from the time, which is another one at each compile. */
function isSame(one: Compiled, other: Compiled): boolean {
  return one.error === other.error && sentBy(one.report) === sentBy(other.report)
}

function sentBy(report: Report | undefined): string {
  if (report === undefined) return ""
  const { prefix, sections, tools, withheld, diagnostics } = report
  const all = sections.flatMap(({ id, outcome, current }) => (id === "clock" ? [] : [[id, outcome, current]]))
  return JSON.stringify([prefix, all, tools, withheld, diagnostics])
}
