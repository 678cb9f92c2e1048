// A folder as it is now: the prompt that `build` compiles, again whenever something in the folder changes. Like `build`,
// it runs nothing of the folder that has not been approved.
import { basename } from "node:path"
import { report } from "../../../core/read/report.ts"
import { compiledSource } from "../../../serve/page/compiled-source.ts"
import { folderVersions } from "../../../serve/page/folder-versions.ts"
import type { PageSource } from "../../../serve/page/page-source.ts"
import type { ReadCache } from "../../../sources/workspace.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { compileFromFlags } from "../prompt/resolve.ts"

export interface FolderNow {
  /** Of the agent that the folder describes. */
  readonly name: string
  readonly source: PageSource
}

/** Compiles once before the page is open: what is wrong with the folder is said on the terminal. */
export async function folderSource(
  root: string,
  flags: FlagsOf<"inspect">,
  terminal: Terminal,
): Promise<FolderNow> {
  const first = await compileFromFlags(flags, terminal)
  if (!flags.json) printDiagnostics(first.diagnostics, terminal)
  // Only what has changed is read again.
  let cache: ReadCache = first.input.workspace.cache
  const { versions, watch } = folderVersions({
    folder: root,
    now: terminal.now,
    problem: (error) => (error instanceof Error ? error.message : String(error)),
    async compile() {
      const { prompt, input } = await compileFromFlags(flags, terminal, { cache })
      cache = input.workspace.cache
      return report(prompt)
    },
  })
  const title = `${basename(root) || root} as it is now`
  return { name: first.name, source: compiledSource({ id: "folder", title, versions, watch }) }
}
