// Adopts state that came with a folder: shows what is in it, asks, and asks once more about what would act by itself.
import { type AdoptedState, adoptState, type FoundContents } from "../agent/adopt/adopt.ts"
import { bytesText } from "../core/bytes.ts"
import { exact } from "./chat/visible.ts"
import { fitCell, plural, type Terminal } from "./terminal.ts"

export interface AdoptAsking {
  /** The state directory of the folder. */
  readonly state: string
  readonly terminal: Terminal
  readonly ask: (about: "all" | "acting", question: string) => Promise<boolean>
}

/** Returns undefined if nothing was agreed to. */
export async function adoptAfterAsking(
  contents: readonly FoundContents[],
  { state, terminal, ask }: AdoptAsking,
): Promise<AdoptedState | undefined> {
  const say = (lines: readonly string[]) => terminal.err(lines.map((line) => `${line}\n`).join(""))
  say(["This folder brings state of an agent:", ...contentsView(contents, terminal)])
  if (contents.every(({ problem }) => problem !== undefined)) return undefined
  say(["Adopting copies it to your state directory; the folder stays as it is. Only adopt what is yours."])
  if (!(await ask("all", "Adopt it?"))) return undefined
  const acting = actingView(contents, terminal)
  if (acting.length > 0) say(["These would act in your name:", ...acting])
  const withActing = acting.length > 0 && (await ask("acting", "Adopt these too?"))
  const adopted = adoptState(contents, { state, now: terminal.now(), withActing })
  say([adoptedText(adopted)])
  return adopted
}

/** One line for each file. */
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
      ...(queue.length > 0 ? [`${plural(queue.length, "message")} waiting`] : []),
      ...(schedule.length > 0
        ? [plural(schedule.length, "schedule entry").replace(/entrys$/, "entries")]
        : []),
    ]
    return [plural(conversations, "conversation"), ...acting].join(", ")
  }
  if (lines !== undefined) return plural(lines, "line")
  return `${events === undefined ? "very many events" : plural(events, "event")}, ${bytesText(found.bytes)}`
}

const MOST_SHOWN = 20

/** What would be answered or run without anybody asking for it again. */
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
          ...(store.answers > 0
            ? [`answers   ${plural(store.answers, "answer")} that nobody was given yet`]
            : []),
          ...store.schedule.map(({ cron, run }) => `schedule  ${exact(cron)}  ${exact(run)}`),
        ],
  )
  const shown = rows.slice(0, MOST_SHOWN).map((row) => fitCell(`  ${row}`, columns).trimEnd())
  return rows.length > MOST_SHOWN ? [...shown, `  and ${rows.length - MOST_SHOWN} more`] : shown
}

function timeText(at: number): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? "at no time" : time.toISOString().slice(0, 16)
}

function adoptedText({ conversations, isRecordAdopted, historyLines }: AdoptedState): string {
  const parts = [
    plural(conversations, "conversation"),
    ...(isRecordAdopted ? ["the record"] : []),
    ...(historyLines > 0 ? [plural(historyLines, "line").replace("line", "history line")] : []),
  ]
  return `Adopted ${parts.join(", ")}. The files in the folder are not used any more and can be deleted.`
}
