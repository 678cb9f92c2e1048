// What the answers about recorded calls are made with.
import type { Splitter } from "../../../capture/split/splitter.ts"
import type { AgentStore } from "../../../database/contract/agent-store.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import type { MissFinder } from "./misses.ts"

/** What the answers are made with. */
export interface Recorded {
  readonly store: RecordStore
  readonly misses: MissFinder
  readonly splitter: Splitter
  readonly outbox: Pick<AgentStore["outbox"], "reply">
}
