// Calls of other clients as a source of the page: those that were captured, and those that clients wrote down themselves.
// For operators only. Lists sessions from their figures, and reads a session when somebody looks at it.
import { setTimeout as sleep } from "node:timers/promises"
import { whyInexact } from "../../../capture/bill/owners/estimated.ts"
import type { SentCall } from "../../../capture/sessions/session-calls.ts"
import type { IndexedSession, SessionIndex } from "../../../capture/sessions/session-index.ts"
import type { Redact } from "../../../record/write/record.ts"
import { ruleFor } from "../../../render/cache/cache-rules.ts"
import { isOperator } from "../../api/operator.ts"
import { cacheRates } from "../cache-rates.ts"
import { noCosts } from "../money/closed.ts"
import type { CallsAsked, PageSource } from "../page-source.ts"
import type { CallDetail, CallPage, SessionPage } from "../shown.ts"
import { type BillFiles, CAPTURED_WAYS, createCapturedCosts } from "./captured-costs.ts"
import { capturedParts } from "./captured-parts.ts"
import { callId, callRows, sessionIn, sessionRow } from "./captured-rows.ts"
import { simulatedCaptured } from "./captured-simulated.ts"
import { carriedLines } from "./carried-lines.ts"
import { redactedParts, redactedRows, redactedValue } from "./redacted.ts"
import { createSessionReader, type SessionReader, type SessionReaderOptions } from "./session-reader.ts"

export interface CapturesSourceOptions extends SessionReaderOptions {
  readonly title: string
  readonly redact: Redact
  readonly files: BillFiles
}

export function capturesSource(options: CapturesSourceOptions): PageSource {
  const { index, title, redact, priceOf, files } = options
  const reader = createSessionReader(options)
  const costs = createCapturedCosts({ files, index, redact })
  const work = { index, reader, redact, refresh: refreshing(index) }
  return {
    ...{ id: "captures", title },
    sessions: async (who, page) => (isOperator(who) ? sessionPage(work, page) : NO_SESSIONS),
    calls: async (who, asked) => (isOperator(who) ? callPage(work, asked) : undefined),
    call: async (who, id) => (isOperator(who) ? callDetail(work, id) : undefined),
    carried: (who, asked) => carriedLines({ ...work, isOpen: isOperator(who) }, asked),
    costs: async (who, asked) => (isOperator(who) ? costs(asked) : noCosts(asked.by, CAPTURED_WAYS)),
    async simulated(who, id) {
      const session = isOperator(who) ? await sessionOf(index, id) : undefined
      return session && simulatedCaptured(session, { reader, priceOf })
    },
    watch: (listener) => watchFiles(index, listener),
  }
}

const NO_SESSIONS: SessionPage = { sessions: [], next: null }

interface Work {
  readonly index: SessionIndex
  readonly reader: SessionReader
  readonly redact: Redact
  /** Reads what is new in the files, if they have not been looked at for a while. */
  readonly refresh: () => Promise<void>
}

/** The first page does not wait for the files to be read to the end; `watch` tells when there are more. */
async function sessionPage(
  { index, redact, refresh }: Work,
  { after, limit }: Parameters<PageSource["sessions"]>[1],
): Promise<SessionPage> {
  await (after === undefined ? index.first : index.whole)
  if (after === undefined) await refresh()
  const all = index.sessions()
  const start = after === undefined ? 0 : all.findIndex((session) => isAfter(session, after))
  const page = start === -1 ? [] : all.slice(start, start + limit)
  const last = page.at(-1)
  const rows = page.map(sessionRow)
  const titles = await redact(rows.map((row) => row.title))
  return {
    sessions: rows.map((row, at) => ({ ...row, title: titles[at] ?? row.title })),
    next: last === undefined || start + limit >= all.length ? null : cursorOf(last),
  }
}

/** A place in the order of time, which stays one when newer sessions come. */
function cursorOf({ to, id }: IndexedSession): string {
  return `${to}.${id}`
}

function isAfter({ to, id }: IndexedSession, cursor: string): boolean {
  const [time = "", before = ""] = cursor.split(".")
  return to < Number(time) || (to === Number(time) && id > before)
}

async function callPage(
  work: Work,
  { session: id, before, limit }: CallsAsked,
): Promise<CallPage | undefined> {
  const session = await sessionOf(work.index, id)
  if (session === undefined) return undefined
  const all = await work.reader.calls(session)
  const last =
    before === undefined ? all.length : all.findIndex(({ call }) => callId(session, call.id) === before)
  const end = Math.max(0, last)
  const start = Math.max(0, end - limit)
  const rows = callRows(session, all)
  const page = rows.slice(start, end)
  return {
    calls: await redactedRows(page, work.redact),
    earlier: start === 0 ? null : (page[0]?.id ?? null),
  }
}

/** A session that is not among the newest may be found once all files have been read. */
async function sessionOf(index: SessionIndex, id: string): Promise<IndexedSession | undefined> {
  await index.first
  const found = index.byId(id)
  if (found !== undefined) return found
  await index.whole
  return index.byId(id)
}

async function callDetail(work: Work, id: string): Promise<CallDetail | undefined> {
  const { index, reader, redact } = work
  const session = await sessionOf(index, sessionIn(id))
  if (session === undefined) return undefined
  const all = await reader.calls(session)
  const row = callRows(session, all).find((one) => one.id === id)
  const at = all.findIndex(({ call }) => callId(session, call.id) === id)
  const own = all[at]?.call.id
  const sent = own === undefined ? undefined : await reader.sent(session, own)
  if (row === undefined || sent === undefined) return undefined
  const [shown] = await redactedRows([row], redact)
  const detail = await detailOf(sent, redact)
  return { ...detail, cacheRates: cacheRates(ruleFor(row.model), detail.parts), call: shown ?? row }
}

async function detailOf(sent: SentCall, redact: Redact): Promise<Omit<CallDetail, "call" | "cacheRates">> {
  const { request = null, coverage, client } = sent.sent
  const { value, places } = await redactedValue(coverage === "none" ? null : request, redact)
  return {
    ...{ report: null, request: value, redacted: places, answer: null },
    parts: await redactedParts(capturedParts(sent), redact),
    isExact: coverage === "exact" && places.length === 0,
    ...(coverage !== "exact" && { incomplete: whyInexact(client, coverage) }),
  }
}

/** Files are looked at again after this long, or longer if looking takes its time. */
const LOOK_MS = 2_000

/** For pages that do not watch. */
function refreshing(index: SessionIndex): () => Promise<void> {
  let lookedAt = performance.now()
  return async () => {
    if (!index.isWhole || performance.now() - lookedAt < LOOK_MS) return
    await index.refresh()
    lookedAt = performance.now()
  }
}

const SHARE_OF_TIME = 20

/** Tells when all files have been read, and from then on when some have changed. */
function watchFiles(index: SessionIndex, listener: () => void): () => void {
  const stop = new AbortController()
  const follow = async () => {
    await index.first
    await index.whole
    if (!stop.signal.aborted) listener()
    for (let pause = LOOK_MS; ; ) {
      await sleep(pause, undefined, { signal: stop.signal, ref: false })
      const start = performance.now()
      if (await index.refresh()) listener()
      pause = Math.max(LOOK_MS, SHARE_OF_TIME * (performance.now() - start))
    }
  }
  follow().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return () => stop.abort()
}
