// Which conversations there are, without reading what was said in them: the first pass of a bill, kept by file, so that a
// file that has grown is read again alone. The newest files are read first; all others follow.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { byCodePoint } from "../../base/order.ts"
import { refOf } from "../../database/text-ref.ts"
import { type FoundFile, type FoundFiles, findFiles } from "../bill/found-files.ts"
import type { BillQuestion } from "../bill/question.ts"
import { readFiles } from "../bill/read-files.ts"
import { createIdTable, type IdTable } from "../bill/usage/id-table.ts"
import { priceCall } from "../bill/usage/sum-usage.ts"
import { pricesByHour } from "../bill/usage/sums.ts"
import type { CalledUsage, Client } from "../call.ts"
import { createTwins, type Twins } from "../twins.ts"

/** A conversation of a client, as far as its figures tell. */
export interface IndexedSession {
  /** Short, and the same every time: made of the client and its own name for the session. */
  readonly id: string
  readonly client: Client
  /** As the client names it. */
  readonly name: string
  /** The folder that the client worked in. */
  readonly project: string | undefined
  readonly calls: number
  readonly from: number
  readonly to: number
  /** Null if the cost of every call is unknown. */
  readonly costUsd: number | null
  /** The files that have calls of it, in the order in which they count. */
  readonly files: readonly FoundFile[]
}

export interface SessionIndexOptions
  extends Pick<BillQuestion, "machine" | "readers" | "folders" | "priceOf" | "onProgress"> {
  /** Whether a call is of interest. */
  readonly isAsked: (call: CalledUsage) => boolean
  readonly onNote: (diagnostic: Diagnostic) => void
  /** Ends reading; what is known stays. */
  readonly signal?: AbortSignal | undefined
}

export interface SessionIndex {
  /** What is known so far, the most recently used first. */
  sessions(): readonly IndexedSession[]
  byId(id: string): IndexedSession | undefined
  /** Whether a call of a file counts, and not the same call elsewhere. One that came later than the figures does. */
  counts(file: FoundFile, call: CalledUsage): boolean
  /** Resolves when the newest files have been read. */
  readonly first: Promise<void>
  /** Resolves when all files have been read. */
  readonly whole: Promise<void>
  readonly isWhole: boolean
  /** Reads what is new. Says whether there was anything. */
  refresh(): Promise<boolean>
  /** Reading all files stands still until this is done: somebody waits for it. */
  holdFor<T>(work: () => Promise<T>): Promise<T>
}

/** So much is read before anything is shown: well under a second. */
const FIRST_BYTES = 64 * 1024 ** 2

export function openSessionIndex(options: SessionIndexOptions): SessionIndex {
  const asked = { ...options, priceOf: pricesByHour(options.priceOf) }
  const first = Promise.withResolvers<void>()
  const turns = createTurns()
  let index = newIndex()
  let isWhole = false
  const readBoth = async () => {
    const found = await filesOf(asked)
    const newest = newestOf(found)
    index = await readInto(newIndex(), newest, asked)
    first.resolve()
    if (newest.files.length < found.files.length)
      index = await readInto(newIndex(), found, { ...asked, turn: turns.mine })
    isWhole = true
  }
  const whole = readBoth()
  whole.catch(first.reject)
  let refreshing: Promise<boolean> | undefined
  const readNew = async () => {
    await whole
    const found = await filesOf(asked)
    const fresh = found.files.filter((file) => hasChanged(index, file))
    const gone = forget(index, found)
    if (fresh.length > 0) await readInto(index, { ...found, files: fresh }, asked)
    return fresh.length > 0 || gone
  }
  return {
    sessions: () => sessionsOf(index),
    byId: (id) => sessionsOf(index).find((session) => session.id === id),
    counts: (file, call) => isPlace(index, file, call) || index.ids.marksOf(call.id) === 0,
    ...{ first: first.promise, whole, holdFor: turns.holdFor },
    get isWhole() {
      return isWhole
    },
    refresh() {
      refreshing ??= readNew().finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
  }
}

/** Whoever holds comes first. */
function createTurns() {
  let held = 0
  let free = Promise.withResolvers<void>()
  return {
    mine: async () => {
      while (held > 0) await free.promise
    },
    async holdFor<T>(work: () => Promise<T>): Promise<T> {
      held += 1
      try {
        return await work()
      } finally {
        held -= 1
        if (held === 0) {
          free.resolve()
          free = Promise.withResolvers()
        }
      }
    },
  }
}

/** What one file adds to a session. */
interface Figures {
  readonly client: Client
  readonly name: string
  project: string | undefined
  calls: number
  priced: number
  costUsd: number
  from: number
  to: number
}

interface IndexedFile {
  readonly found: FoundFile
  /** By client and name. */
  readonly sessions: Map<string, Figures>
}

interface Index {
  readonly ids: IdTable
  /** Ids with the file that they count in. */
  readonly places: IdTable
  readonly twins: Twins
  /** By path, in the order in which they count. */
  readonly files: Map<string, IndexedFile>
  sessions: readonly IndexedSession[] | undefined
}

const MARK = 1

function newIndex(): Index {
  return {
    ...{ ids: createIdTable(), places: createIdTable(), twins: createTwins() },
    ...{ files: new Map(), sessions: undefined },
  }
}

function filesOf({ machine, readers, folders, priceOf, onNote }: SessionIndexOptions): Promise<FoundFiles> {
  return findFiles({ machine, readers, folders, priceOf, timeZone: "UTC" }, onNote)
}

/** In the same order. Of one that is larger than the limit, all of it: something has to be shown. */
function newestOf(found: FoundFiles): FoundFiles {
  let bytes = 0
  const newest = new Set<FoundFile>()
  for (const one of found.files.toSorted((a, b) => b.file.changedAt - a.file.changedAt)) {
    if (bytes >= FIRST_BYTES) break
    bytes += one.file.bytes
    newest.add(one)
  }
  return { ...found, bytes, files: found.files.filter((one) => newest.has(one)) }
}

function hasChanged({ files }: Index, { file }: FoundFile): boolean {
  const known = files.get(file.path)?.found.file
  return known?.bytes !== file.bytes || known.changedAt !== file.changedAt
}

/** Files that are not there any more. */
function forget(index: Index, found: FoundFiles): boolean {
  const here = new Set(found.files.map(({ file }) => file.path))
  const gone = [...index.files.keys()].filter((path) => !here.has(path))
  for (const path of gone) index.files.delete(path)
  if (gone.length > 0) index.sessions = undefined
  return gone.length > 0
}

interface ReadingOptions extends SessionIndexOptions {
  /** Resolves when it may go on. */
  readonly turn?: (() => Promise<void>) | undefined
}

/** What is known of a file that is read again is replaced by what it says now. */
async function readInto(index: Index, found: FoundFiles, options: ReadingOptions): Promise<Index> {
  const { priceOf, isAsked, onProgress, onNote, turn, signal } = options
  let into: IndexedFile | undefined
  let seen = createIdTable()
  const calls = readFiles<CalledUsage>({
    ...{ phase: "usage", found, onProgress, onNote },
    open(one) {
      into = { found: one, sessions: new Map() }
      seen = createIdTable()
      index.files.set(one.file.path, into)
      return one.reader.usage(one.file)
    },
  })
  for await (const call of calls) {
    if (turn !== undefined) await turn()
    if (signal?.aborted) break
    if (into === undefined || !isAsked(call) || seen.mark(call.id, MARK) !== 0) continue
    if (!isPlace(index, into.found, call) && !isNew(index, into.found, call)) continue
    addCall(into.sessions, call, priceCall(call, priceOf).costUsd)
  }
  index.sessions = undefined
  return index
}

function isPlace({ places }: Index, { file }: FoundFile, { id }: CalledUsage): boolean {
  return places.marksOf(`${file.path}\n${id}`) !== 0
}

/** Remembers a call. False if it, or its twin on the wire, was found elsewhere. */
function isNew({ ids, places, twins }: Index, { file }: FoundFile, call: CalledUsage): boolean {
  const isKnown = ids.mark(call.id, MARK) !== 0
  if (isKnown || twins.take(call)) return false
  places.mark(`${file.path}\n${call.id}`, MARK)
  twins.add(call)
  return true
}

function addCall(sessions: Map<string, Figures>, call: CalledUsage, costUsd: number | null): void {
  const { client, session: name, project, at } = call
  const key = `${client}\n${name}`
  const empty = { client, name, project, calls: 0, priced: 0, costUsd: 0, from: at, to: at }
  const sum = sessions.get(key) ?? empty
  sessions.set(key, sum)
  sum.project ??= project
  sum.calls += 1
  sum.from = Math.min(sum.from, at)
  sum.to = Math.max(sum.to, at)
  if (costUsd === null) return
  sum.priced += 1
  sum.costUsd += costUsd
}

function sessionsOf(index: Index): readonly IndexedSession[] {
  index.sessions ??= joined(index)
  return index.sessions
}

function joined({ files }: Index): readonly IndexedSession[] {
  const parts = [...files.values()].flatMap(({ found, sessions }) =>
    [...sessions].map(([key, figures]) => ({ key, figures, found })),
  )
  const sessions = [...Map.groupBy(parts, ({ key }) => key)].flatMap(
    ([key, own]): readonly IndexedSession[] => {
      const all = own.map(({ figures }) => figures)
      const [first] = all
      if (first === undefined) return []
      const sum = (value: (figures: Figures) => number) =>
        all.reduce((before, each) => before + value(each), 0)
      const session = {
        ...{ id: shortId(key), client: first.client, name: first.name },
        project: all.find(({ project }) => project !== undefined)?.project,
        calls: sum(({ calls }) => calls),
        from: all.reduce((least, { from }) => Math.min(least, from), first.from),
        to: all.reduce((most, { to }) => Math.max(most, to), first.to),
        costUsd: all.some(({ priced }) => priced > 0) ? sum(({ costUsd }) => costUsd) : null,
        files: own.map(({ found }) => found),
      }
      return [session]
    },
  )
  return sessions.toSorted((one, other) => other.to - one.to || byCodePoint(one.id, other.id))
}

/** Letters, digits, `-` and `_`: it may stand in an address. */
const ID_LENGTH = 16

export function shortId(text: string): string {
  return refOf(text).slice(0, ID_LENGTH)
}
