// `incipit prune`: shrinks the record and the agent's store now, by age and by size, or erases one person's
// conversations.
import { bytesText, parseBytes } from "../../../base/data-size.ts"
import { parseDuration } from "../../../base/duration.ts"
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { DEFAULT_RETENTION } from "../../command-line/table/record-commands.ts"
import type { Terminal } from "../../terminal.ts"
import { erasePersonPlans, remainingData, storedDocuments } from "./person-files.ts"
import {
  conversationsText,
  eraseConversations,
  erasedText,
  personKeys,
  pruneConversations,
} from "./prune-store.ts"
import { type RecordFile, withRecord } from "./record-file.ts"

export async function run({ flags, terminal }: Invocation<"prune">): Promise<number> {
  const isDry = flags.dryRun
  return withRecord(
    flags,
    terminal,
    async (store, file) => {
      const context = { flags, terminal, isDry, now: terminal.now() }
      return flags.person !== undefined
        ? erasePerson(store, file, flags.person, context)
        : pruneByAge(store, file, context)
    },
    { readOnly: isDry },
  )
}

interface PruneContext {
  readonly flags: FlagsOf<"prune">
  readonly terminal: Terminal
  readonly isDry: boolean
  readonly now: number
}

async function pruneByAge(
  store: RecordStore,
  { state, config }: RecordFile,
  { flags, terminal, isDry, now }: PruneContext,
): Promise<number> {
  const { retention = DEFAULT_RETENTION, max_size } = config.record ?? {}
  const size = flags.maxSize ?? max_size
  const olderThanMs = amount("older", flags.older ?? retention, parseDuration)
  const maxBytes = size === undefined ? undefined : amount("max-size", size, parseBytes)
  const report = isDry
    ? // Traces are removed whole, so some of these events stay.
      { events: await store.events.count({ until: now - olderThanMs }, Number.MAX_SAFE_INTEGER) }
    : await store.upkeep.prune({ olderThanMs, ...(maxBytes !== undefined && { maxBytes }), now })
  const conversations = await pruneConversations(
    { url: databaseOf(flags, terminal), path: state?.store, now: () => now },
    { olderThanMs, isDry },
  )
  const lines = [
    "receipts" in report
      ? `Deleted ${plural(report.events, "event")} and ${plural(report.receipts, "recorded request")}; the record shrank from ${bytesText(report.bytesBefore)} to ${bytesText(report.bytesAfter)}.`
      : `Would delete up to ${plural(report.events, "event")} from the record.`,
    ...(conversations === undefined
      ? []
      : [
          `${isDry ? "Would delete" : "Deleted"} ${conversationsText(conversations)} from the agent's store.`,
        ]),
  ]
  print({ flags, terminal }, { ...report, conversations }, () => lines)
  return 0
}

async function erasePerson(
  store: RecordStore,
  { root, state, config }: RecordFile,
  person: string,
  { flags, terminal, isDry, now }: PruneContext,
): Promise<number> {
  const place = { url: databaseOf(flags, terminal), path: state?.store, now: () => now }
  const found = await eraseConversations(place, person, { isDry: true })
  // Before the store, in case this is interrupted: only the store knows which sessions of the record are theirs.
  const forgotten = isDry ? undefined : await store.upkeep.forget(found?.ids ?? [])
  const erased = isDry ? found : await eraseConversations(place, person)
  const { removed: plans, unread } = erasePersonPlans(root, personKeys(person), isDry)
  const report = erased ?? { sessions: 0, turns: 0, items: 0, notices: 0, ids: [], tasks: 0, rooms: 0 }
  const isKnown = person === "owner" || Object.hasOwn(config.users ?? {}, person)
  if (!isKnown && report.sessions + report.notices + report.tasks + plans.length === 0)
    throw new IncipitError(
      "bad-argument",
      `there is nothing stored about "${person}", and incipit.yaml has no such user`,
    )
  const record =
    forgotten === undefined
      ? ""
      : `, and ${plural(forgotten.events, "event")} and ${plural(forgotten.receipts, "recorded request")} from the record`
  const deleted = isDry ? "Would delete" : "Deleted"
  const documents = await storedDocuments(root, place.url)
  const left = remainingData(root, person, {
    rooms: report.rooms,
    unread,
    history: state?.history,
    documents,
  })
  print({ flags, terminal }, { person, conversations: report, plans, ...forgotten, left }, () => [
    `${deleted} ${erasedText(report)} of ${person} from the agent's store${record}.`,
    ...plans.map((path) => `${deleted} ${path}.`),
    ...left.map((what) => `Not deleted: ${asTyped(what, terminal)}`),
  ])
  return 0
}

/** The value of a flag; the configuration was checked when it was read. */
function amount(
  name: "older" | "max-size",
  text: string,
  parse: (text: string) => number | undefined,
): number {
  const value = parse(text)
  if (value !== undefined) return value
  const example = name === "older" ? "a duration such as 30d" : "a size such as 1GB"
  throw new IncipitError("bad-argument", `--${name} must be ${example}, not "${text}"`)
}
