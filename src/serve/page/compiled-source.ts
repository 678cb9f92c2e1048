// Prompts that were compiled and not sent, as a source of the page: a saved report, or a folder as it is now. One session;
// each version of the prompt is a call of it, so that versions can be compared.
import type { Report } from "../../core/read/report.ts"
import { isOperator } from "../api/operator.ts"
import { nothingSent, notSimulated } from "./money/closed.ts"
import type { CallsAsked, LinesAsked, PageSource } from "./page-source.ts"
import { reportDetail, reportRow } from "./report-detail.ts"
import type { CallPage, CallRow, Carried, SessionPage, SourceId } from "./shown.ts"

/** One version. Without a report, compiling failed, and `error` says why. */
export interface Compiled {
  readonly report: Report | undefined
  readonly error: string | null
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface CompiledSourceOptions {
  readonly id: Extract<SourceId, "report" | "folder">
  readonly title: string
  /** Oldest first. Numbers stay, whatever is forgotten. */
  readonly versions: () => Promise<readonly NumberedVersion[]>
  readonly watch?: PageSource["watch"]
}

export interface NumberedVersion extends Compiled {
  readonly number: number
}

export function compiledSource({ id, title, versions, watch }: CompiledSourceOptions): PageSource {
  const rows = async () => (await versions()).map((version) => ({ version, row: rowOf(id, version) }))
  return {
    ...{ id, title, ...(watch && { watch }) },
    sessions: async (reader) =>
      isOperator(reader)
        ? sessionPage(
            { id, title },
            (await rows()).map(({ row }) => row),
          )
        : NO_SESSIONS,
    calls: async (reader, asked) =>
      isOperator(reader) && asked.session === id
        ? callPage(
            (await rows()).map(({ row }) => row),
            asked,
          )
        : undefined,
    async call(reader, wanted) {
      const found = isOperator(reader) ? (await rows()).find(({ row }) => row.id === wanted) : undefined
      return found && reportDetail(found.version.report, found.row)
    },
    carried: async (_reader, asked) => notSent(asked),
    costs: async (_reader, { by }) => nothingSent(by),
    simulated: async (reader, session) =>
      isOperator(reader) && session === id ? notSimulated(session, NOT_SENT) : undefined,
  }
}

const NOT_SENT = "This prompt was compiled and not sent, so there are no calls to simulate."

const NO_SESSIONS: SessionPage = { sessions: [], next: null }

function rowOf(session: string, { report, number, at, error }: NumberedVersion): CallRow {
  return reportRow(report, { id: `${session}.${number}`, session, turn: session, step: number, at, error })
}

function sessionPage(source: Pick<PageSource, "id" | "title">, rows: readonly CallRow[]): SessionPage {
  const { id, title } = source
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return NO_SESSIONS
  const about = { id, title, client: first.client, who: null, calls: rows.length, costUsd: null }
  return { sessions: [{ ...about, firstAt: first.at, lastAt: last.at }], next: null }
}

function callPage(rows: readonly CallRow[], { before, limit }: CallsAsked): CallPage {
  const end =
    before === undefined
      ? rows.length
      : Math.max(
          0,
          rows.findIndex(({ id }) => id === before),
        )
  const start = Math.max(0, end - limit)
  return { calls: rows.slice(start, end), earlier: start === 0 ? null : (rows[start]?.id ?? null) }
}

/** What was not sent rode in no call. */
function notSent({ path, lines }: LinesAsked): Carried {
  const none = { calls: 0, tokens: 0, costUsd: null, firstAt: null, lastAt: null, ids: [], isWhole: true }
  return { path, lines, ...none }
}
