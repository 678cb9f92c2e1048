// `incipit schedule`: what runs when, and the entries that are not in the configuration.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Entry } from "../../../agent/schedule/due-runs.ts"
import { openSchedule, type Schedule } from "../../../agent/schedule/schedule.ts"
import { IncipitError } from "../../../base/error.ts"
import type { TakenRun } from "../../../database/contract/schedule.ts"
import { openAgentStore } from "../../../database/open-agent-store.ts"
import { stateFiles } from "../../../files/paths.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { localTime } from "../../../record/ask/zone.ts"
import { cronProblem, dueBetween } from "../../../sources/config/cron.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { oneLine } from "../../views/widths.ts"
import { existingState, openedState } from "./state-place.ts"

const SHOWN_TIMES = 3

export async function list({ flags, terminal }: Invocation<"schedule">): Promise<number> {
  const store = existingState(flags, terminal)?.store
  return withSchedule(flags, terminal, { store, readOnly: true }, async (schedule) => {
    const entries = await Promise.all((await schedule.entries()).map((entry) => withLastRun(entry, schedule)))
    if (entries.length === 0 && !flags.json) terminal.err("The schedule is empty.\n")
    else
      print(
        { flags, terminal },
        entries.map((entry) => reportOf(entry, terminal)),
        () => entries.flatMap((entry, at) => [...(at === 0 ? [] : [""]), ...entryView(entry, terminal)]),
      )
  })
}

export async function add({ words, flags, terminal }: Invocation<"schedule add">): Promise<number> {
  const [cron = "", ...rest] = words
  const problem = cronProblem(cron)
  if (problem !== undefined) throw new IncipitError("bad-argument", problem)
  const run = rest.join(" ")
  if (run.trim() === "") throw new IncipitError("bad-argument", "name a file or a message to run")
  const { store } = stateFiles(await openedState(flags, terminal))
  return withSchedule(flags, terminal, { store, makes: true }, async (schedule, folder) => {
    if (/^\S+\.\w+$/.test(run) && !existsSync(join(folder, run)))
      terminal.err(
        `warning: ${oneLine(run)} does not exist in the workspace. Until it does, its name is sent as the message.\n`,
      )
    const { id } = await schedule.book().add(cron, run)
    const added = (await schedule.entries()).find((one) => one.id === id)
    if (added === undefined) throw new IncipitError("not-scheduled", `${id} was removed again`)
    const entry = await withLastRun(added, schedule)
    print({ flags, terminal }, reportOf(entry, terminal), () => entryView(entry, terminal))
  })
}

export async function remove({ words, flags, terminal }: Invocation<"schedule remove">): Promise<number> {
  const [id = ""] = words
  const store = existingState(flags, terminal)?.store
  return withSchedule(flags, terminal, { store }, async (schedule) => {
    const entry = (await schedule.entries()).find((one) => one.id === id)
    if (entry === undefined) throw new IncipitError("not-scheduled", `there is no entry ${id}`)
    if (entry.source === "configured")
      throw new IncipitError("not-scheduled", `${id} is defined in incipit.yaml; remove it there`)
    await schedule.book().remove(id)
    print({ flags, terminal }, { removed: id }, () => [`removed ${id}`])
  })
}

interface ScheduleUse {
  /** Undefined while the workspace has no state. */
  readonly store: string | undefined
  readonly readOnly?: boolean
  readonly makes?: boolean
}

/** Opens the schedule, queries it, and always closes its store. Only adding an entry creates a store. */
async function withSchedule(
  flags: FlagsOf<"schedule">,
  terminal: Terminal,
  { store, readOnly = false, makes = false }: ScheduleUse,
  ask: (schedule: Schedule, folder: string) => Promise<void>,
): Promise<number> {
  const workspace = openWorkspace(workspaceFolder(flags, terminal), { agent: flags.agent })
  printDiagnostics(workspace.diagnostics, terminal)
  const isThere = store !== undefined && existsSync(store)
  const path = store !== undefined && (makes || isThere) ? store : ":memory:"
  const { timeZone, now } = terminal
  const place = { url: databaseOf(flags, terminal), path }
  const opened = await openAgentStore(place, { now, readOnly: readOnly && isThere })
  try {
    // The configured schedule belongs to the workspace's main agent.
    const entries = flags.agent === undefined ? (workspace.config.schedule ?? []) : []
    await ask(openSchedule({ store: opened, agent: workspace.id, timeZone, now, entries }), workspace.folder)
    return 0
  } finally {
    await opened.close()
  }
}

interface ListedEntry extends Entry {
  readonly last: TakenRun | undefined
}

async function withLastRun(entry: Entry, schedule: Schedule): Promise<ListedEntry> {
  return { ...entry, last: await schedule.last(entry.id) }
}

function reportOf({ last, ...entry }: ListedEntry, terminal: Terminal) {
  return {
    ...entry,
    next: nextTimes(entry, terminal).map((at) => new Date(at).toISOString()),
    last: last === undefined ? null : { ...last, due: new Date(last.due).toISOString() },
  }
}

function entryView(entry: ListedEntry, terminal: Terminal): readonly string[] {
  const { id, cron, run, zone, missed, source, last } = entry
  const paint = painter(terminal)
  const time = (at: number) => localTime(at, zone).slice(0, "2026-11-15 08:30".length)
  const facts = [
    ["next", nextTimes(entry, terminal).map(time).join(", ") || "never"],
    ["last", last === undefined ? "not yet" : `${time(last.due)}, ${last.state}, turn ${last.turn}`],
    ["zone", zone],
    ["missed", missed],
    ["from", source === "written" ? "schedule_write or schedule add" : "incipit.yaml"],
  ]
  const lines = facts.map(([name = "", value]) => `  ${paint("dim", name.padEnd(6))}  ${value}`)
  return [`${paint("bold", id)}  ${cron}  ${escapeHidden(run)}`, ...lines]
}

function nextTimes({ cron, zone }: Entry, { now }: Terminal): readonly number[] {
  return dueBetween(cron, zone, { after: now(), most: SHOWN_TIMES })
}
