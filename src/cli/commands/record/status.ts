// `incipit status`: channels, sessions, the last errors, the record itself, and memory.
import { bytesText } from "../../../base/data-size.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import type { MemoryStatus } from "../../../memory/memory.ts"
import { bare, eventText } from "../../../record/ask/log.ts"
import { type Status, statusOf } from "../../../record/ask/status.ts"
import { localTime } from "../../../record/ask/zone.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { storesView } from "../../views/memory-view.ts"
import { memoryStatus } from "../agent/memory-store.ts"
import { hasRecord, noRecordText, recordFile, withRecord } from "./record-file.ts"

export async function run({ flags, terminal }: Invocation<"status">): Promise<number> {
  const file = recordFile(flags, terminal)
  const memory = await memoryStatus({ ...file, terminal })
  // Memory has a status even without a record; with neither, report the missing record.
  const status = memory === undefined || hasRecord(file) ? await recordStatus(flags, terminal) : undefined
  const lines = () => [
    ...(status === undefined ? [asTyped(noRecordText(file, flags), terminal)] : statusView(status, terminal)),
    ...(memory === undefined ? [] : memoryView(memory, terminal)),
  ]
  const all = { ...status, ...(memory !== undefined && { memory }) }
  print({ flags, terminal }, all, lines)
  return 0
}

async function recordStatus(flags: FlagsOf<"status">, terminal: Terminal): Promise<Status> {
  return withRecord(flags, terminal, async (store) => {
    const { dropped, damaged } = await store.facts()
    const health = { waiting: 0, dropped, lastError: undefined, damaged }
    return statusOf(store, { now: terminal.now(), health })
  })
}

const MAX_SESSIONS = 10

function statusView(status: Status, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const time = (at: number | undefined) => (at === undefined ? "never" : localTime(at, terminal.timeZone))
  const { record } = status
  const hours = Math.round(status.windowMs / 3_600_000)
  return [
    paint("bold", "Channels"),
    ...status.channels.map(
      ({ channel, lastMessageAt, errors }) =>
        `  ${bare(channel)}: last message ${time(lastMessageAt)}, ${plural(errors, "error")} in the last ${hours} hours`,
    ),
    ...noneLines(status.channels),
    paint("bold", `Sessions, last ${hours} hours`),
    ...status.sessions
      .slice(0, MAX_SESSIONS)
      .map(
        ({ session, lastAt, events }) =>
          `  ${bare(session)}: ${plural(events, "event")}, last ${time(lastAt)}`,
      ),
    ...(status.sessions.length > MAX_SESSIONS
      ? [`  ${thousands(status.sessions.length - MAX_SESSIONS)} more`]
      : []),
    ...noneLines(status.sessions),
    paint("bold", "Recent errors"),
    ...status.errors.map((event) => `  ${time(event.at)} ${eventText(event)}`),
    ...noneLines(status.errors),
    ...(record === undefined
      ? []
      : [
          paint("bold", "Record"),
          `  ${bytesText(record.bytes)} plus a write-ahead log of ${bytesText(record.logBytes)}, ${record.oldestAt === undefined ? "no events yet" : `events since ${time(record.oldestAt)}`}`,
          record.health.dropped === 0
            ? "  no failed writes"
            : paint("red", `  ${plural(record.health.dropped, "write")} of events, requests or usage failed`),
          ...(record.health.damaged === undefined
            ? []
            : [paint("red", `  a damaged record was moved to ${bare(record.health.damaged)}`)]),
        ]),
  ]
}

function memoryView(status: MemoryStatus, terminal: Terminal): readonly string[] {
  const lines =
    status.stores.length === 0
      ? [asTyped("not indexed yet; run `incipit memory index`", terminal)]
      : storesView(status, terminal)
  return [painter(terminal)("bold", "Memory"), ...lines.map((line) => `  ${line}`)]
}

function noneLines(list: readonly unknown[]): readonly string[] {
  return list.length === 0 ? ["  none"] : []
}
