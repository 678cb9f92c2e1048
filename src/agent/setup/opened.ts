// What an agent has once it is opened: its workspace, store, event sinks and model. Its hooks and servers are built on
// it, and together they make the services.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { StateFiles } from "../../files/paths.ts"
import type { Secrets } from "../../record/redact/secrets.ts"
import type { SharedDocuments } from "../../workspace/documents/shared-documents.ts"
import type { Model } from "../models/model.ts"
import type { EventSinks } from "../storage/event-sinks.ts"
import type { Keeping } from "../storage/keeping.ts"
import type { Limits } from "./agent.ts"
import type { DescribedOptions } from "./prompt-agent.ts"
import type { Watching } from "./watch-workspace.ts"

export interface Opened {
  readonly options: DescribedOptions
  readonly watching: Watching
  readonly directory: string
  readonly limits: Limits
  readonly now: () => number
  readonly id: () => string
  readonly owner: string
  /** What is kept on disk. */
  readonly keeping: Keeping
  /** The state directory, and its files; undefined if nothing is kept. */
  readonly state: string | undefined
  readonly files: StateFiles | undefined
  readonly store: AgentStore
  /** The agent's documents, if they are in a database. */
  readonly documents: SharedDocuments | undefined
  readonly secrets: Secrets
  readonly events: EventSinks
  readonly model: Model
}
