// What an agent keeps, and where: read from its options before anything is opened.
import { IncipitError } from "../../base/error.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { AgentOptions } from "../setup/agent.ts"

/** What is kept on disk. */
export interface Keeping {
  readonly record: boolean
  readonly memory: boolean
  /** `file`: in the state directory. `memory`: until the agent is closed. Otherwise the program's own. */
  readonly store: "file" | "memory" | AgentStore
}

type KeepingOptions = Pick<AgentOptions, "workspace" | "state" | "record" | "memory" | "store">

/** Without a workspace, only a named state directory is a place to keep anything. */
export function keepingOf(options: KeepingOptions): Keeping {
  const { workspace, state, record, memory, store } = options
  const hasPlace = workspace !== undefined || state !== undefined
  if (record === true && !hasPlace)
    throw new IncipitError("bad-option", "record: true needs a workspace or a state directory to keep it in")
  if (memory === true && workspace === undefined)
    throw new IncipitError("bad-option", "memory: true needs a workspace, which holds its files")
  if (typeof store === "string" && store !== "memory")
    throw new IncipitError(
      "bad-option",
      `store is "${store}"; use "memory", or pass a store as openStore returns it`,
    )
  return {
    record: record ?? hasPlace,
    memory: memory ?? workspace !== undefined,
    store: store ?? (hasPlace ? "file" : "memory"),
  }
}

export function needsStateDirectory({ record, memory, store }: Keeping): boolean {
  return record || memory || store === "file"
}
