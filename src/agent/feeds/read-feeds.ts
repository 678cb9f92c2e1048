// Reads the feeders that are switched on, for the person of the session. Its types rule out effects, so a preview reads
// the same. `create-feeding.ts` has everything that asks a model or writes.
import type { Bulletins, WorkflowPlaces, WritingHabits } from "../../database/contract/people.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { StoredTasks } from "../../database/contract/tasks.ts"
import type { Memory } from "../../memory/memory.ts"
import { feedSwitches } from "../../sources/config/feed-switches.ts"
import { gatherWorkflows } from "../../sources/workflow-files.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { Model } from "../models/model.ts"
import { readBulletin } from "./bulletin.ts"
import type { Enricher } from "./enrich.ts"
import { isOnePerson, taskListOf } from "./feed-owner.ts"
import type { FeedFacts } from "./feeding.ts"
import { type Feeds, gatherFeeds } from "./feeds.ts"
import { readProfile } from "./profiler.ts"
import { readWorkflow } from "./workflow.ts"

/** What feeders read from. */
export interface FeedSources {
  readonly store: {
    readonly tasks: Pick<StoredTasks, "open">
    readonly workflows: Pick<WorkflowPlaces, "get">
    readonly writingHabits: Pick<WritingHabits, "read">
    readonly bulletins: Pick<Bulletins, "read">
  }
  readonly memory: Pick<Memory, "recall" | "recent" | "inOneLook" | "prepare">
  readonly clock: { now(): number }
  readonly workspace: { current(): Workspace }
  readonly models: { current(): Pick<Model, "isOffline"> }
}

/** Never throws: a feeder that fails leaves its section out and the failure is reported. */
export async function readFeeds(
  { store, memory, clock, workspace, models }: FeedSources,
  { message, session, gathered, remaining }: FeedFacts,
  enricher: Pick<Enricher, "signal">,
): Promise<Feeds> {
  const isOn = feedSwitches(workspace.current().config)
  const { agent, who, trust } = session
  const owner = { agent, who, trust, now: clock.now }
  const hasModel = !models.current().isOffline
  // The turn counts its own message, although it is learned from only afterwards.
  const own = isOwnText(session) ? message : undefined
  // If it fails, the feeders that look at memory say so themselves.
  if (isOn.recall || isOn.bulletin) await memory.prepare().catch(() => undefined)
  return gatherFeeds({
    message,
    who,
    trust,
    session: gathered.session.task === undefined ? {} : { task: gathered.session.task },
    inOneLook: (ask) => memory.inOneLook(ask),
    feeders: {
      ...(isOn.signal && { signal: isOn.enrichment && hasModel ? { enricher } : {} }),
      ...(isOn.recall && { recall: memory }),
      ...(isOn.tasks && {
        tasks: { forPrompt: (bound) => store.tasks.open({ ...owner, who: taskListOf(session) }, bound) },
      }),
      ...(isOn.workflow && {
        workflow: {
          forPrompt: () =>
            readWorkflow(store.workflows, { ...owner, read: () => gatherWorkflows(workspace.current()) }),
        },
      }),
      ...(isOn.communication && {
        communication: { profile: () => readProfile(store.writingHabits, owner, own) },
      }),
      ...(isOn.bulletin && {
        bulletin: {
          read: () => readBulletin(store.bulletins, { ...owner, memory, counter: o200k, hasModel }),
        },
      }),
      remaining: () => remaining,
    },
  })
}

/** The agent itself writes the message of a delegated part; a scheduled one comes from the schedule. */
export function isOwnText({ mode, situation, who }: StoredSession): boolean {
  return mode !== "subagent" && situation !== "system" && isOnePerson(who)
}
