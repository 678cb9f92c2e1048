// One list of what is stored, what is heard live, and what is on its way to the server.
import type { Outgoing } from "../sending/outbox.ts"
import { type Entry, notRunText, type SaidEntry, type ShownTurn } from "./entry.ts"
import type { LiveTurn } from "./live-turns.ts"

export interface Merging {
  readonly stored: readonly ShownTurn[]
  readonly live: readonly LiveTurn[]
  /** Of this session; those whose turn has begun name it. */
  readonly outgoing: readonly Outgoing[]
}

export interface Merged {
  /** In the order of the conversation. */
  readonly turns: readonly ShownTurn[]
  /** Not begun: on the way, waiting for another turn, failed, or ended. */
  readonly pending: readonly Outgoing[]
}

export function mergedTurns({ stored, live, outgoing }: Merging): Merged {
  const byTurn = new Map(live.map((turn) => [turn.turn, turn]))
  const known = new Set<string | null>(stored.map(({ turn }) => turn))
  const merged = stored.map((own) => mergedTurn(own, own.turn === null ? undefined : byTurn.get(own.turn)))
  const taken = new Set<Outgoing>()
  const unstored = live
    .filter(({ turn }) => !known.has(turn))
    .toSorted((a, b) => a.at - b.at)
    .map((turn): ShownTurn => {
      const sent = outgoing.find((one) => one.turn === turn.turn) ?? sentBefore(turn, outgoing, taken)
      if (sent !== undefined) taken.add(sent)
      const entries = [...(sent ? [saidOf(sent)] : []), ...turn.entries]
      return { ...turn, key: turn.turn, isStored: false, entries }
    })
  const joined = new Set(
    live.filter(({ state }) => state === "running").flatMap(({ entries }) => textsSaid(entries)),
  )
  const pending = outgoing.filter(
    (one) =>
      one.state !== "begun" &&
      !taken.has(one) &&
      !(known.has(one.turn ?? "") || byTurn.has(one.turn ?? "")) &&
      !(one.state === "sending" && joined.has(one.text)),
  )
  return { turns: [...merged, ...unstored], pending }
}

/** The live events may be heard before the answer to the message says which turn it has. */
function sentBefore(
  { at, state }: LiveTurn,
  outgoing: readonly Outgoing[],
  taken: ReadonlySet<Outgoing>,
): Outgoing | undefined {
  if (state !== "running") return undefined
  return outgoing.find((one) => one.state === "sending" && one.at <= at && !taken.has(one))
}

function textsSaid(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((one) => (one.kind === "said" ? [one.text] : []))
}

function mergedTurn(stored: ShownTurn, live: LiveTurn | undefined): ShownTurn {
  if (live === undefined) return withStop(stored)
  const { state } = live
  if (!live.isWhole)
    return { ...stored, state, entries: [...stored.entries, ...unknownIn(stored.entries, live.entries)] }
  // Everything else in it was heard.
  const said = stored.entries.find(({ kind }) => kind === "said")
  return { ...stored, state, entries: [...(said ? [said] : []), ...live.entries] }
}

/** The events said that it was stopped. In a transcript, only a tool says so: of a stopped answer, it has the text alone. */
function withStop(stored: ShownTurn): ShownTurn {
  const last = stored.entries.at(-1)
  if (last?.kind !== "tool" || notRunText(last) !== "stopped") return stored
  const line: Entry = { kind: "line", key: "stopped", text: "Stopped.", level: "quiet" }
  return { ...stored, entries: [...stored.entries, line] }
}

/** What the others do not have, by its key: calls have the same one in both. */
function unknownIn(others: readonly Entry[], entries: readonly Entry[]): readonly Entry[] {
  const keys = new Set(others.map(({ key }) => key))
  const texts = new Set(textsSaid(others))
  return entries.filter((entry) => !keys.has(entry.key) && !(entry.kind === "said" && texts.has(entry.text)))
}

export function saidOf({ key, text, files }: Outgoing): SaidEntry {
  return {
    kind: "said",
    key,
    text,
    by: null,
    files: files.map(({ mediaType, name }) => ({ mediaType, name })),
  }
}
