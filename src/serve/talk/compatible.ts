// What a compatible surface is made with.
import type { ConversationIndex } from "./conversation-index.ts"
import type { Patience } from "./event-stream.ts"

export interface CompatibleOptions {
  readonly index: ConversationIndex
  readonly now: () => number
  readonly patience?: Patience
}
