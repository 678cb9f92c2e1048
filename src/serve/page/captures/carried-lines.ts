// Every call that lines of a file rode in, and what they cost there: in one session, or in all of the project that the
// file belongs to.
import type { SentCall } from "../../../capture/sessions/session-calls.ts"
import type { IndexedSession, SessionIndex } from "../../../capture/sessions/session-index.ts"
import { isInside } from "../../../files/inside.ts"
import type { LinesAsked } from "../page-source.ts"
import type { Carried } from "../shown.ts"
import { capturedParts } from "./captured-parts.ts"
import { callId } from "./captured-rows.ts"
import type { SessionReader } from "./session-reader.ts"

export interface CarriedOptions {
  readonly index: SessionIndex
  readonly reader: SessionReader
  /** Whether the reader may see any. */
  readonly isOpen: boolean
}

const MOST_IDS = 500

interface Sum {
  tokens: number
  costUsd: number
  isPriced: boolean
  readonly calls: { readonly id: string; readonly at: number }[]
}

export async function carriedLines(
  { index, reader, isOpen }: CarriedOptions,
  { path, lines, session, signal }: LinesAsked,
): Promise<Carried> {
  const sum: Sum = { tokens: 0, costUsd: 0, isPriced: false, calls: [] }
  if (isOpen) await index.whole
  const all = isOpen ? index.sessions().filter((one) => isAsked(one, { path, session })) : []
  const newest = withinBytes(all)
  for (const one of newest) {
    signal?.throwIfAborted()
    await addSession(sum, one, { reader, path, lines })
  }
  const isWhole = newest.length === all.length
  const calls = sum.calls.toSorted((one, other) => one.at - other.at)
  return {
    ...{ path, lines, calls: calls.length, tokens: Math.round(sum.tokens) },
    costUsd: sum.isPriced ? sum.costUsd : null,
    ...{ firstAt: calls[0]?.at ?? null, lastAt: calls.at(-1)?.at ?? null },
    ids: calls.slice(-MOST_IDS).map(({ id }) => id),
    isWhole,
  }
}

function isAsked(one: IndexedSession, { path, session }: Pick<LinesAsked, "path" | "session">): boolean {
  if (session !== undefined) return one.id === session
  return one.project !== undefined && isInside(path, one.project)
}

/** More takes longer than people wait. */
const MOST_BYTES = 256 * 1024 ** 2

/** The most recently used ones; of one session, all. */
function withinBytes(sessions: readonly IndexedSession[]): readonly IndexedSession[] {
  let bytes = 0
  const over = sessions.findIndex(({ files }, at) => {
    bytes += files.reduce((sum, { file }) => sum + file.bytes, 0)
    return at > 0 && bytes > MOST_BYTES
  })
  return over === -1 ? sessions : sessions.slice(0, over)
}

interface Wanted {
  readonly reader: SessionReader
  readonly path: string
  readonly lines: readonly [number, number]
}

async function addSession(sum: Sum, session: IndexedSession, wanted: Wanted): Promise<void> {
  const ids = new Set((await wanted.reader.calls(session)).map(({ call }) => call.id))
  for await (const sent of wanted.reader.each(session, ids)) {
    const found = carriedBy(sent, wanted)
    if (found.tokens === 0) continue
    sum.tokens += found.tokens
    sum.costUsd += found.costUsd ?? 0
    sum.isPriced ||= found.costUsd !== null
    sum.calls.push({ id: callId(session, sent.sent.id), at: sent.sent.at })
  }
}

/** Within a stretch of lines, each line counts the same. */
function carriedBy(sent: SentCall, { path, lines: [from, to] }: Wanted) {
  let tokens = 0
  let costUsd: number | null = null
  for (const part of capturedParts(sent)) {
    if (part.text === "") continue
    for (const { start, end, owner } of part.spans) {
      if (owner?.path !== path || owner.lines === undefined) continue
      const [first, last] = owner.lines
      const shared = Math.min(to, last) - Math.max(from, first) + 1
      if (shared <= 0) continue
      const share = (shared / (last - first + 1)) * ((end - start) / part.text.length)
      tokens += part.tokens * share
      if (part.costUsd !== null) costUsd = (costUsd ?? 0) + part.costUsd * share
    }
  }
  return { tokens, costUsd }
}
