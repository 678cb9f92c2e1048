// Adopts state that came with a folder: shows what is in it, asks, and asks again about what would act on its own.
import { type AdoptedState, adoptState, type FoundContents } from "../../../agent/adopt/adopt.ts"
import { bytesText } from "../../../base/data-size.ts"
import { listed, plural } from "../../../base/text/figures.ts"
import { exact } from "../../chat/screen/visible.ts"
import type { Terminal } from "../../terminal.ts"
import { fitCell } from "../../views/widths.ts"

export interface AdoptAsking {
  /** The folder's state directory. */
  readonly state: string
  readonly terminal: Terminal
  readonly ask: (about: "all" | "acting", question: string) => Promise<boolean>
}

/** Returns undefined if the user agreed to nothing. */
export async function adoptAfterAsking(
  contents: readonly FoundContents[],
  { state, terminal, ask }: AdoptAsking,
): Promise<AdoptedState | undefined> {
  const say = (lines: readonly string[]) => terminal.err(lines.map((line) => `${line}\n`).join(""))
  say(["This folder came with an agent's state:", ...contentsView(contents, terminal)])
  if (contents.every(({ problem }) => problem !== undefined)) return undefined
  say([
    "Adopting copies it to your state directory and leaves the folder as it is.",
    "Adopt only what you know to be yours.",
  ])
  if (!(await ask("all", "Adopt it?"))) return undefined
  const acting = actingView(contents, terminal)
  if (acting.length > 0) say(["These would act in your name:", ...acting])
  const withActing = acting.length > 0 && (await ask("acting", "Adopt these too?"))
  const adopted = adoptState(contents, { state, now: terminal.now(), withActing })
  say(adoptedLines(adopted, contents))
  return adopted
}

/** One line per file. */
function contentsView(
  contents: readonly FoundContents[],
  { columns }: Pick<Terminal, "columns">,
): readonly string[] {
  return contents.map((one) =>
    fitCell(`  ${one.found.shown.padEnd(19)} ${contentText(one)}`, columns).trimEnd(),
  )
}

function contentText({ found, problem, store, events, lines }: FoundContents): string {
  if (problem !== undefined) return `not usable: ${exact(problem)}`
  if (store !== undefined) {
    const { conversations, queue, schedule } = store
    const acting = [
      ...(queue.length > 0 ? [`${plural(queue.length, "message")} queued`] : []),
      ...(schedule.length > 0
        ? [plural(schedule.length, "schedule entry").replace(/entrys$/, "entries")]
        : []),
    ]
    return [plural(conversations, "conversation"), ...acting].join(", ")
  }
  if (lines !== undefined) return plural(lines, "line")
  return `${events === undefined ? "very many events" : plural(events, "event")}, ${bytesText(found.bytes)}`
}

const MAX_SHOWN = 20

/** What would be answered or run without a new request. */
function actingView(
  contents: readonly FoundContents[],
  { columns }: Pick<Terminal, "columns">,
): readonly string[] {
  const rows = contents.flatMap(({ store }) =>
    store === undefined
      ? []
      : [
          ...store.queue.map(
            ({ at, who, text }) => `message   ${timeText(at)}  ${exact(who)}: ${exact(text)}`,
          ),
          ...(store.answers > 0 ? [`answers   ${plural(store.answers, "answer")} not delivered yet`] : []),
          ...store.schedule.map(({ cron, run }) => `schedule  ${exact(cron)}  ${exact(run)}`),
        ],
  )
  const shown = rows.slice(0, MAX_SHOWN).map((row) => fitCell(`  ${row}`, columns).trimEnd())
  return rows.length > MAX_SHOWN ? [...shown, `  and ${rows.length - MAX_SHOWN} more`] : shown
}

function timeText(at: number): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? "never" : time.toISOString().slice(0, 16)
}

/** Names what was left out, since deleting the files would lose it. */
function adoptedLines(adopted: AdoptedState, contents: readonly FoundContents[]): readonly string[] {
  const { conversations, isRecordAdopted, historyLines } = adopted
  const parts = [
    plural(conversations, "conversation"),
    ...(isRecordAdopted ? ["the record"] : []),
    ...(historyLines > 0 ? [plural(historyLines, "history line")] : []),
  ]
  const isSound = (kind: FoundContents["found"]["kind"]) =>
    contents.some(({ found, problem }) => found.kind === kind && problem === undefined)
  const left = [
    ...(isSound("record") && !isRecordAdopted ? ["the record"] : []),
    ...(isSound("history") && historyLines === 0 ? ["the chat history"] : []),
  ]
  const done = `Adopted ${listed(parts)}.`
  return left.length === 0
    ? [`${done} The files in the folder are no longer used; you can delete them.`]
    : [done, `Not adopted: ${listed(left)}, because your state already has one or it is empty.`]
}
