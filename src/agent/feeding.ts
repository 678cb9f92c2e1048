// What feeds the turn's sections for one session: the feeders as they are configured, each for the one who talks.
import { join } from "node:path"
import type { Session } from "../core/scope.ts"
import type { Memory } from "../memory/memory.ts"
import type { Workspace } from "../sources/workspace.ts"
import { openBulletin } from "./bulletin.ts"
import { type Feeds, gatherFeeds } from "./feeds.ts"
import { openProfiler } from "./profiler.ts"
import type { Store, StoredSession } from "./stored.ts"
import { openTaskBoard } from "./tasks.ts"
import { openWorkflows } from "./workflow.ts"

export interface FeedFacts {
  readonly message: string
  readonly session: StoredSession
  /** The session as sections see it. */
  readonly scoped: Session
}

/** Never throws: a feeder that fails leaves its section out and is told. */
export type Feeding = (facts: FeedFacts) => Promise<Feeds>

export interface FeedingOptions {
  readonly store: Store
  readonly memory: Memory | undefined
  readonly workspace: () => Workspace
  readonly now: () => number
}

export function createFeeding({ store, memory, workspace, now }: FeedingOptions): Feeding {
  return async ({ message, session, scoped }) => {
    const { database } = store
    const keeping = { agent: session.agent, who: session.who, now }
    const { task, channel } = scoped
    const profiler = openProfiler(database, keeping)
    profiler.observe(message)
    return gatherFeeds({
      message,
      who: session.who,
      trust: session.trust,
      session: { ...(task !== undefined && { task }), ...(channel !== undefined && { channel }) },
      feeders: {
        signal: {},
        ...(memory && { recall: memory }),
        tasks: openTaskBoard(database, keeping),
        workflow: openWorkflows(database, { ...keeping, folder: join(workspace().folder, "workflows") }),
        communication: profiler,
        ...(memory && { bulletin: openBulletin(database, { ...keeping, memory, trust: session.trust }) }),
      },
    })
  }
}
