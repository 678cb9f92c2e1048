// A memory that holds nothing and takes nothing, for an agent that is opened without one.
import type { Memory } from "./memory.ts"

const NONE = "this agent was opened without a memory"

export function noMemory(): Memory {
  return {
    search: () => ({ status: "empty", hits: [], tokens: 0 }),
    get: () => ({ status: "not-found", reason: NONE }),
    write: () => ({ status: "refused", why: "no-such-place", reason: NONE }),
    recall: () => ({ status: "empty", text: "", tokens: 0, hits: [] }),
    recent: () => ({ status: "empty", entries: [] }),
    inOneLook: (ask) => ask(),
    prepare: async () => {},
    whyNot: () => ({ kind: "unknown" }),
    status: () => ({ stores: [] }),
    refresh: async () => {},
    close: async () => {},
  }
}
