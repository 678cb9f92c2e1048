// `schedule_write`: adds a scheduled time, removes one, or lists them.
import { SCHEDULE_WRITE } from "../../profiles/incipit/tools/agent.ts"
import { localTime } from "../../record/ask/zone.ts"
import { type ActingContext, acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { foundText } from "../files/found.ts"
import { shownName } from "../files/open-file.ts"
import { type ApprovalRequest, type ScheduleEntry, ToolFailure } from "../host.ts"
import { requireApproval } from "../require-approval.ts"
import type { ToolInput } from "../tool-input.ts"

type Input = ToolInput<typeof SCHEDULE_WRITE.parameters>

export const scheduleWriteTool = defineTool({
  ...SCHEDULE_WRITE,
  asksFirst: true,
  run: (given, context) => run(given, acting(context)),
})

async function run({ cron, run: what, remove }: Input, context: ActingContext): Promise<string> {
  const { schedule } = context.host
  if (remove !== undefined) {
    if (cron !== undefined || what !== undefined)
      throw new ToolFailure("Give either `remove`, or `cron` and `run`.")
    const entry = (await schedule.list()).find(({ id }) => id === remove)
    if (entry !== undefined) await changeAgreed({ change: "remove", ...entry }, context)
    if (!(await schedule.remove(remove)))
      throw new ToolFailure(`No entry ${shownName(remove)}.\n${await listed(context)}`)
    return `Removed entry ${shownName(remove)}.`
  }
  if (cron === undefined && what === undefined) return listed(context)
  if (cron === undefined || what === undefined) throw new ToolFailure("A new entry needs `cron` and `run`.")
  await changeAgreed({ change: "add", cron, run: what }, context)
  return `Added entry ${entryText(await schedule.add(cron, what), context)}`
}

/** Scheduled runs happen unattended, so changes need approval. */
function changeAgreed(
  { change, cron, run: what }: Omit<Extract<ApprovalRequest, { readonly kind: "schedule" }>, "kind">,
  { host }: ActingContext,
): Promise<void> {
  const request = { kind: "schedule", change, cron, run: what } as const
  return requireApproval(host, request, "The change to the schedule was not approved.")
}

async function listed(context: ActingContext): Promise<string> {
  const lines = (await context.host.schedule.list()).map((entry) => `Entry ${entryText(entry, context)}`)
  return foundText({ lines, nouns: "entries", isCut: false }, context)
}

function entryText({ id, cron, run: what, next }: ScheduleEntry, { timeZone }: ActingContext): string {
  const time = next === undefined ? "never" : `${localTime(next, timeZone)} (${timeZone})`
  return `${id}: ${cron}, next ${time}: ${shownName(what)}`
}
