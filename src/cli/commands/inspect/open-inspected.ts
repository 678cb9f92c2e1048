// Everything that `incipit inspect` opens: the sources that were asked for, and the server that shows them. A file of its
// own because it brings the server.
import { join } from "node:path"
import { inspectedPage } from "../../../serve/page/inspected-page.ts"
import { openInspector } from "../../../serve/page/open-inspector.ts"
import { loadConfig } from "../../../sources/config/config.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { visible } from "../../chat/screen/visible.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import { type InspectOptions, sourcesFor } from "./sources.ts"

export interface OpenedPage {
  readonly url: string
  readonly code: string
  /** Shows on the terminal how far reading is. */
  start(): void
  close(): Promise<void>
}

export async function openInspected(options: InspectOptions): Promise<OpenedPage> {
  const { flags, terminal } = options
  const { title, sources, captured, close } = await sourcesFor(options)
  const inspector = await openInspector({
    page: inspectedPage({ title, sources, config: configOf(options) }),
    port: flags.port,
    now: terminal.now,
    warn: (line) => terminal.err(`warning: ${visible(line)}\n`),
  })
  return {
    ...{ url: inspector.url, code: inspector.code },
    start: () => captured?.followProgress(),
    async close() {
      await inspector.close()
      await close()
    },
  }
}

/** Who there is in the folder, to show whom a prompt can be compiled for. A file or a session has no folder. */
function configOf({ word, flags, terminal }: InspectOptions): Config {
  if (word !== undefined) return {}
  return loadConfig(join(workspaceFolder(flags, terminal), "incipit.yaml"), "incipit.yaml").config
}
