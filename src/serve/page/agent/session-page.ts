// A page of sessions, with how many calls each took and what they cost.
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { isOperator } from "../../api/operator.ts"
import { cursorAfter, type ListedSession } from "../../api/sessions/own-sessions.ts"
import type { Reader } from "../page-source.ts"
import type { SessionPage } from "../shown.ts"

export interface FoundSessions {
  /** One more than the limit, if there are so many. */
  readonly found: readonly ListedSession[]
  readonly limit: number
  readonly reader: Reader
  /** Also shows costs and what the agent asked beside its turns. */
  readonly isWhole: boolean
}

export async function sessionPage(
  store: RecordStore,
  { found, limit, reader, isWhole }: FoundSessions,
): Promise<SessionPage> {
  const page = found.slice(0, limit)
  const ids = page.map(({ id }) => id)
  const counts = await store.receipts.counts(ids, { withAsides: isWhole })
  const costs = isWhole ? await store.sessionCosts(ids) : []
  const costOf = new Map(
    costs.map(({ key, calls, unpriced, costUsd }) => [key, calls === unpriced ? null : costUsd]),
  )
  const sessions = page.map(({ id, title, who, createdAt, usedAt }) => ({
    ...{ id, title, client: "incipit", who: isOperator(reader) ? who.replace(/^person:/, "") : null },
    ...{ calls: counts.get(id) ?? 0, firstAt: createdAt, lastAt: usedAt, costUsd: costOf.get(id) ?? null },
  }))
  return { sessions, next: cursorAfter(found, limit) }
}
