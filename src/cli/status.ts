// `incipit status`: channels, sessions, the last errors, and the record itself.
import { bytesText } from "../core/bytes.ts"
import { factOf } from "../record/facts.ts"
import { eventText } from "../record/log.ts"
import { type Status, statusOf } from "../record/status.ts"
import { localTime } from "../record/zone.ts"
import type { Invocation } from "./commands.ts"
import { withRecord } from "./record-file.ts"
import { painter, plural, type Terminal } from "./terminal.ts"

export async function run({ flags, terminal }: Invocation): Promise<number> {
  return withRecord(flags, terminal, (database) => {
    const dropped = Number(factOf(database, "dropped") ?? 0)
    const health = { waiting: 0, dropped, lastError: undefined, damaged: factOf(database, "damaged") }
    const status = statusOf(database, { now: terminal.now(), health })
    terminal.out(
      flags.json === true ? `${JSON.stringify(status, null, 2)}\n` : `${view(status, terminal).join("\n")}\n`,
    )
    return 0
  })
}

function view(status: Status, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const time = (at: number | undefined) => (at === undefined ? "never" : localTime(at, terminal.timeZone))
  const { record } = status
  return [
    paint("bold", "Channels"),
    ...status.channels.map(
      ({ channel, lastMessageAt, errors }) =>
        `  ${channel}: last message ${time(lastMessageAt)}, ${plural(errors, "error")} today`,
    ),
    ...none(status.channels),
    paint("bold", "Sessions, last 24 hours"),
    ...status.sessions.map(
      ({ session, lastAt, events }) => `  ${session}: ${plural(events, "event")}, last ${time(lastAt)}`,
    ),
    ...none(status.sessions),
    paint("bold", "Last errors"),
    ...status.errors.map((event) => `  ${time(event.at)} ${eventText(event)}`),
    ...none(status.errors),
    ...(record === undefined
      ? []
      : [
          paint("bold", "Record"),
          `  ${bytesText(record.bytes)} and ${bytesText(record.logBytes)} of log, events since ${time(record.oldestAt)}`,
          record.health.dropped === 0
            ? "  nothing was lost"
            : paint("red", `  ${plural(record.health.dropped, "event")} could not be written`),
          ...(record.health.damaged === undefined
            ? []
            : [paint("red", `  a damaged record was moved to ${record.health.damaged}`)]),
        ]),
  ]
}

function none(list: readonly unknown[]): readonly string[] {
  return list.length === 0 ? ["  none"] : []
}
