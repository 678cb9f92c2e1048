// A record that keeps nothing, for an agent that is opened without one. It takes everything and has nothing to read.
import { IncipitError } from "../../base/error.ts"
import { createReceiptCache } from "./receipt-cache.ts"
import type { Recorder } from "./record.ts"

export function noRecord(): Recorder {
  return {
    path: "",
    receipts: createReceiptCache(),
    append: () => {},
    enqueue: () => {},
    flush: async () => {},
    // Nothing that was appended can be read, so nobody should look for it.
    flushIfFree: async () => false,
    read() {
      throw new IncipitError("no-record", "this agent was opened without a record")
    },
    health: () => ({ waiting: 0, dropped: 0, lastError: undefined, damaged: undefined }),
    close: async () => {},
  }
}
