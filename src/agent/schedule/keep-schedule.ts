// Keeps an agent's schedule running in the background: receives each due run as a message without a sender, processes
// it, and processes the queue as well.
import type { ReceiveOptions } from "../inbox/receive.ts"
import type { KeptSchedule, ScheduleOptions } from "../setup/agent.ts"
import type { Runtime } from "../setup/runtime.ts"
import type { Reply } from "../turn/live.ts"
import type { Firing } from "./due-runs.ts"
import { messageOf } from "./message.ts"
import { openSchedule, type Schedule } from "./schedule.ts"
import { startScheduler } from "./scheduler.ts"

export interface KeepOptions extends ScheduleOptions {
  readonly send: (text: string, options: ReceiveOptions) => Promise<Reply | undefined>
}

export function keepSchedule(
  runtime: Runtime,
  { send, fired, trouble, observe, signal, approve, onlyApproved = false }: KeepOptions,
): KeptSchedule {
  const { now, id, workspace } = runtime
  const read = () => {
    const { config } = workspace()
    const isWaiting = onlyApproved && config.schedule !== undefined && !runtime.isScheduleApproved()
    return { config, isWaiting, schedule: scheduleOf(runtime, isWaiting ? [] : config.schedule) }
  }
  let known = read()
  if (known.isWaiting) trouble?.(WAITS)
  /** The schedule as it is configured and approved now. */
  const schedule = () => {
    if (workspace().config !== known.config || known.isWaiting) known = read()
    return known.schedule
  }
  const troubled = (error: unknown, firing?: Firing) =>
    trouble?.(runtime.secrets.redact(error instanceof Error ? error.message : String(error)), firing)
  const run = async (firing: Firing) => {
    const { entry, due, run: what, missed } = firing
    const reply = await send(messageOf(firing, workspace().folder), {
      ...{ turn: id(), situation: "system", background: true, entry },
      ...(observe && { observe }),
      ...(signal && { signal }),
      ...(approve && { approve }),
      scheduleRun: { agent: workspace().id, entry, due },
      received: (scope) =>
        scope.event("schedule_fired", {
          data: { entry, run: what, due: new Date(due).toISOString(), missed },
        }),
    })
    if (reply !== undefined) fired?.(firing, reply)
  }
  return startScheduler({
    ...{ run, now, trouble: troubled },
    schedule: { due: () => schedule().due(), next: (after) => schedule().next(after) },
    timer: (ms, wake) => {
      const timer = setTimeout(() => void runtime.refresh().catch(troubled).then(wake), ms)
      return () => clearTimeout(timer)
    },
  })
}

const WAITS = "what incipit.yaml schedules runs in a chat once you approve it: incipit hooks approve"

/** The configured schedule belongs to the workspace's main agent, not to further ones. */
export function scheduleOf(
  { store, workspace, timeZone, now }: Omit<Runtime, "host">,
  configured = workspace().config.schedule,
): Schedule {
  const { id: agent, root, folder } = workspace()
  const entries = folder === root ? (configured ?? []) : []
  return openSchedule({ store, agent, timeZone, now, entries })
}
