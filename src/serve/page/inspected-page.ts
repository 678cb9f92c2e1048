// What `inspect` shows on its page: sources without an agent, for the person at this machine.
import { VERSION } from "../../base/version.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { audiences, callerInfo } from "./agent/agent-page.ts"
import type { ShownPage } from "./page-call.ts"
import type { PageSource } from "./page-source.ts"

export interface InspectedPageOptions {
  readonly title: string
  /** Those that there are now, the first of which is shown first. */
  readonly sources: () => readonly PageSource[]
  /** Of the folder that is shown; empty for anything else. */
  readonly config: Config
}

export function inspectedPage({ title, sources, config }: InspectedPageOptions): ShownPage {
  return {
    sources,
    info: async (reader) => ({
      ...{ title, mode: "inspect" },
      sources: sources().map((source) => ({ id: source.id, title: source.title })),
      caller: callerInfo(reader),
      agents: [],
      ...audiences({ config: () => config }),
      models: [...new Set([config.model ?? [], config.fallback_model ?? []].flat())],
      version: VERSION,
    }),
  }
}
