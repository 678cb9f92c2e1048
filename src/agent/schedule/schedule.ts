// The schedule: the entries of `incipit.yaml` and those that the agent added, their due runs, and the claims on them.
// Several processes may use it at once, each with its own clock; exactly one of them claims a run, once.
import { digestOf } from "../../base/digest.ts"
import { byCodePoint } from "../../base/order.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { AddedEntry, TakenRun } from "../../database/contract/schedule.ts"
import type { ConfiguredRun } from "../../sources/config/config-schema.ts"
import { cronProblem, nextAfter } from "../../sources/config/cron.ts"
import { type ScheduleBook, type ScheduleEntry, ToolFailure } from "../../tools/host.ts"
import { dueRuns, type Entry, type Firing } from "./due-runs.ts"

export interface OpenScheduleOptions {
  readonly store: Pick<AgentStore, "schedule">
  readonly agent: string
  /** For entries without a zone. */
  readonly timeZone: string
  readonly now: () => number
  /** The configured entries. */
  readonly entries: readonly ConfiguredRun[]
}

export interface Schedule {
  entries(): Promise<readonly Entry[]>
  /** For the agent's own tools. */
  book(): ScheduleBook
  /**
   * Due runs that are not claimed, oldest first. An entry counts as existing from the first call of this. Receiving the
   * message of a run claims it (`Inbox.receive`).
   */
  due(): Promise<readonly Firing[]>
  /** The first run after a time (default now); undefined if there is none. */
  next(after?: number): Promise<number | undefined>
  last(entry: string): Promise<TakenRun | undefined>
}

export function openSchedule(options: OpenScheduleOptions): Schedule {
  const { store, agent, now } = options
  const configured = configuredEntries(options)
  const entries = async () => [...configured, ...(await writtenEntries(options))]
  let isTidy = false
  /** Each entry, and up to when its runs are settled. */
  const settledEntries = async (): Promise<readonly (readonly [Entry, number])[]> => {
    const all = await entries()
    const ids = all.map(({ id }) => id)
    if (!isTidy) await store.schedule.keepOnly(agent, ids)
    isTidy = true
    const settled = await store.schedule.settled(agent, ids)
    return all.map((entry) => [entry, settled.get(entry.id) ?? Number.NEGATIVE_INFINITY])
  }
  return {
    entries,
    book: () => bookOf(options, entries),
    async due() {
      const at = now()
      return (await settledEntries())
        .flatMap(([entry, settled]) => dueRuns(entry, settled, at))
        .sort((a, b) => a.due - b.due || byCodePoint(a.entry, b.entry))
    },
    async next(after = now()) {
      const times = (await settledEntries()).flatMap(
        ([{ cron, zone }, settled]) => nextAfter(cron, zone, Math.max(after, settled)) ?? [],
      )
      return times.length === 0 ? undefined : Math.min(...times)
    },
    last: (entry) => store.schedule.last(agent, entry),
  }
}

/** Entries are identified by their content: a changed entry is a new one, and duplicates are one. */
function configuredEntries({ entries, timeZone }: OpenScheduleOptions): readonly Entry[] {
  const byId = new Map<string, Entry>()
  for (const { cron, run, zone, missed = "once" } of entries) {
    // Starts with a letter, so that it never equals the number of an added entry.
    const id = `c${digestOf([cron, run, zone ?? ""]).slice("sha256:".length, 15)}`
    byId.set(id, { id, source: "configured", cron, run, zone: zone ?? timeZone, missed })
  }
  return [...byId.values()]
}

async function writtenEntries({ store, agent, timeZone }: OpenScheduleOptions): Promise<readonly Entry[]> {
  const added = await store.schedule.added(agent)
  return added.map((entry) => writtenEntry(entry, timeZone))
}

function writtenEntry({ id, cron, run }: AddedEntry, zone: string): Entry {
  return { id, source: "written", cron, run, zone, missed: "once" }
}

function bookOf(options: OpenScheduleOptions, entries: () => Promise<readonly Entry[]>): ScheduleBook {
  const { store, agent, timeZone, now } = options
  const shown = ({ id, cron, run, zone }: Entry): ScheduleEntry => ({
    id,
    cron,
    run,
    next: nextAfter(cron, zone, now()),
  })
  return {
    list: async () => (await entries()).map(shown),
    async add(cron, run) {
      const problem = cronProblem(cron) ?? (run.trim() === "" ? "there is nothing to run" : undefined)
      if (problem !== undefined) throw new ToolFailure(`Not scheduled: ${problem}.`)
      const added = await store.schedule.add(agent, { cron: cron.trim(), run: run.trim() })
      return shown(writtenEntry(added, timeZone))
    },
    async remove(id) {
      if (configuredEntries(options).some((entry) => entry.id === id))
        throw new ToolFailure(`The entry ${id} is in incipit.yaml and can only be removed there.`)
      return store.schedule.remove(agent, id)
    },
  }
}
