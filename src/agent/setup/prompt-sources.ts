// What a prompt is compiled from, for code that only reads: the part of the runtime that cannot call a model, write,
// claim work or run a tool. `Runtime` has all of it and more.
import type { Profile } from "../../core/model/profile.ts"
import type { Sessions } from "../../database/contract/sessions.ts"
import type { Transcripts } from "../../database/contract/transcripts.ts"
import type { Memory } from "../../memory/memory.ts"
import type { FeedReader } from "../feeds/feeding.ts"
import type { FeedSources } from "../feeds/read-feeds.ts"
import type { ModelFacts } from "../models/model.ts"
import type { Runtime } from "./runtime.ts"
import type { Toolbox } from "./toolbox.ts"

export interface PromptSources
  extends Pick<
    Runtime,
    | "workspace"
    | "system"
    | "directory"
    | "env"
    | "timeZone"
    | "now"
    | "approvedDirectories"
    | "skillFolders"
    | "promptFolders"
  > {
  readonly profile: Profile
  readonly secrets: Pick<Runtime["secrets"], "within">
  readonly toolbox: Pick<Toolbox, "definitions" | "extensions">
  readonly store: FeedSources["store"] & {
    readonly sessions: Pick<Sessions, "get" | "current">
    readonly transcripts: Pick<Transcripts, "read">
  }
  readonly memory: Pick<Memory, "recall" | "recent">
  readonly feeding: FeedReader
  model(): ModelFacts
}
