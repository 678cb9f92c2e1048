// Everything that `incipit inspect` opens: the sources that were asked for, and the server that shows them. A file of its
// own because it brings the server.
import { join } from "node:path"
import { inspectedPage } from "../../../serve/page/inspected-page.ts"
import { openInspector } from "../../../serve/page/open-inspector.ts"
import { loadConfig } from "../../../sources/config/config.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { visible } from "../../chat/screen/visible.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import { folderWhatIf } from "./folder-what-if.ts"
import { type Inspected, type InspectOptions, sourcesFor } from "./sources.ts"

export interface OpenedPage {
  readonly url: string
  readonly code: string
  /** Shows on the terminal how far reading is. */
  followProgress(): void
  close(): Promise<void>
}

export async function openInspected(options: InspectOptions): Promise<OpenedPage> {
  const { word, flags, terminal } = options
  const inspected = await sourcesFor(options)
  const { title, sources, captured } = inspected
  const page = inspectedPage({ title, sources, config: configOf(options) })
  const warn = (line: string) => terminal.err(`warning: ${visible(line)}\n`)
  try {
    const server = await openInspector({
      ...{ page, port: flags.port, now: terminal.now, warn },
      // A file or a session has no folder to compile.
      routes: word === undefined ? folderWhatIf(flags, terminal) : [],
    })
    return {
      ...{ url: server.url, code: server.code },
      followProgress: () => captured?.followProgress(flags),
      async close() {
        await server.close()
        await closeSources(inspected)
      },
    }
  } catch (error) {
    await closeSources(inspected)
    throw error
  }
}

async function closeSources({ captured, agent }: Inspected): Promise<void> {
  captured?.close()
  await agent?.close()
}

/** Who there is in the folder, to show whom a prompt can be compiled for. A file or a session has no folder. */
function configOf({ word, flags, terminal }: InspectOptions): Config {
  if (word !== undefined) return {}
  return loadConfig(join(workspaceFolder(flags, terminal), "incipit.yaml"), "incipit.yaml").config
}
