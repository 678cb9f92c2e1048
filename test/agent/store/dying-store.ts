// A store whose process kills itself around one of its writes, for tests of what is left behind.
import process from "node:process"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { watched } from "./watched-store.ts"

export interface Death {
  /** `before` or `after`, and the number of the write; empty for none. */
  readonly at: string
  /** The calls that count as writes, such as `inbox.receive`. */
  readonly writes: readonly string[]
}

export function dyingStore(store: AgentStore, { at, writes }: Death): AgentStore {
  let count = 0
  const reached = (when: string, own: number, call: string) => {
    if (at !== `${when} ${own}`) return
    process.stdout.write(`${when} ${call}\n`)
    process.kill(process.pid, "SIGKILL")
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  return watched(store, async (call, make) => {
    if (!writes.includes(call)) return make()
    count += 1
    const own = count
    reached("before", own, call)
    const result = await make()
    reached("after", own, call)
    return result
  })
}
