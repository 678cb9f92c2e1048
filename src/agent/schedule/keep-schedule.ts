// Keeps an agent's schedule running in the background: receives each due run as a message without a sender, processes
// it, and processes the queue as well.
import type { ReceiveOptions } from "../inbox/receive.ts"
import type { KeptSchedule, ScheduleOptions } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import type { Reply } from "../turn/live-event.ts"
import type { Firing } from "./due-runs.ts"
import { messageOf } from "./message.ts"
import { openSchedule, type Schedule } from "./schedule.ts"
import { startScheduler } from "./scheduler.ts"

export interface KeepOptions extends ScheduleOptions {
  readonly send: (text: string, options: ReceiveOptions) => Promise<Reply | undefined>
}

type ScheduleServices = Pick<Services, "store" | "workspace" | "clock">

export function keepSchedule(
  services: ScheduleServices & Pick<Services, "approvals" | "secrets">,
  { send, fired, trouble, observe, signal, approve, onlyApproved = false }: KeepOptions,
): KeptSchedule {
  const { clock, workspace, approvals, secrets } = services
  const read = () => {
    const { config } = workspace.current()
    const isWaiting = onlyApproved && config.schedule !== undefined && !approvals.isScheduleApproved()
    return { config, isWaiting, schedule: scheduleOf(services, isWaiting ? [] : config.schedule) }
  }
  let known = read()
  if (known.isWaiting) trouble?.(WAITS)
  /** The schedule as it is configured and approved now. */
  const schedule = () => {
    if (workspace.current().config !== known.config || known.isWaiting) known = read()
    return known.schedule
  }
  const troubled = (error: unknown, firing?: Firing) =>
    trouble?.(secrets.redact(error instanceof Error ? error.message : String(error)), firing)
  const run = async (firing: Firing) => {
    const { entry, due, run: what, missed } = firing
    const reply = await send(messageOf(firing, workspace.current().folder), {
      ...{ turn: clock.id(), situation: "system", background: true, entry },
      ...(observe && { observe }),
      ...(signal && { signal }),
      ...(approve && { approve }),
      scheduleRun: { agent: workspace.current().id, entry, due },
      received: (scope) =>
        scope.event("schedule_fired", {
          data: { entry, run: what, due: new Date(due).toISOString(), missed },
        }),
    })
    if (reply !== undefined) fired?.(firing, reply)
  }
  return startScheduler({
    ...{ run, now: clock.now, trouble: troubled },
    schedule: { due: () => schedule().due(), next: (after) => schedule().next(after) },
    timer: (ms, wake) => {
      const cancel = () => {
        clearTimeout(timer)
        stop()
      }
      const look = () => {
        cancel()
        void workspace.refresh().catch(troubled).then(wake)
      }
      const timer = setTimeout(look, ms)
      const stop = services.store.wakeUps.listen(({ kind }) => {
        if (kind === "configuration") look()
      })
      return cancel
    },
  })
}

const WAITS = "the schedule in incipit.yaml runs here once you approve it: incipit hooks approve"

/** The configured schedule belongs to the workspace's main agent, not to further ones. */
export function scheduleOf(
  { store, workspace, clock: { timeZone, now } }: ScheduleServices,
  configured = workspace.current().config.schedule,
): Schedule {
  const { id: agent, root, folder } = workspace.current()
  const entries = folder === root ? (configured ?? []) : []
  return openSchedule({ store, agent, timeZone, now, entries })
}
