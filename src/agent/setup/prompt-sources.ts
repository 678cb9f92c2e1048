// What a prompt is compiled from, for code that only reads: the part of the services that cannot call a model, write,
// claim work or run a tool.
import type { Sessions } from "../../database/contract/sessions.ts"
import type { Transcripts } from "../../database/contract/transcripts.ts"
import type { FeedReader } from "../feeds/feeding.ts"
import type { FeedSources } from "../feeds/read-feeds.ts"
import type { ModelFacts } from "../models/model.ts"
import type { Services } from "./services.ts"

/** What an agent's part of a prompt is gathered from. */
export interface GatherSources {
  readonly workspace: Omit<Services["workspace"], "refresh">
  readonly models: { current(): ModelFacts }
  readonly toolbox: Pick<Services["toolbox"], "definitions" | "extensions">
  readonly resources: Pick<Services["resources"], "skillFolders" | "promptFolders">
  readonly approvals: Pick<Services["approvals"], "directories">
  readonly secrets: Pick<Services["secrets"], "within">
  readonly sandboxes: Services["sandboxes"]
  readonly clock: Pick<Services["clock"], "timeZone">
  readonly inputs: Services["inputs"]
}

export interface PromptSources extends GatherSources {
  readonly clock: Pick<Services["clock"], "now" | "timeZone">
  readonly people: Pick<Services["people"], "keyOf">
  readonly store: FeedSources["store"] & {
    readonly sessions: Pick<Sessions, "get" | "current">
    readonly transcripts: Pick<Transcripts, "read">
  }
  readonly conversation: Services["conversation"]
  readonly memory: Pick<Services["memory"], "recall" | "recent">
  readonly feeding: FeedReader
}
