// Sessions and calls of clients as the lists of the page have them.
import { basename } from "node:path"
import type { BillMiss, BillMissCause } from "../../../capture/bill/bill.ts"
import { missSentence } from "../../../capture/bill/misses/miss-text.ts"
import { clientTitle } from "../../../capture/client-title.ts"
import type { SessionCall } from "../../../capture/sessions/session-calls.ts"
import { type IndexedSession, shortId } from "../../../capture/sessions/session-index.ts"
import type { CallRow, ShownMiss, ShownSession, ShownUsage } from "../shown.ts"

export function sessionRow({ id, name, project, ...session }: IndexedSession): ShownSession {
  const { client, calls, from, to, costUsd } = session
  return {
    ...{ id, title: project === undefined ? name : basename(project) || project },
    ...{ client: clientTitle(client), who: null, calls, firstAt: from, lastAt: to, costUsd },
  }
}

/** The id of a call tells its session, so that one is enough to find it. */
export function callId(session: Pick<IndexedSession, "id">, id: string): string {
  return `${session.id}.${shortId(id)}`
}

export function sessionIn(callIdText: string): string {
  return callIdText.split(".")[0] ?? ""
}

/** Steps count within a thread: sub-agents and titles have threads of their own. */
export function callRows(session: IndexedSession, calls: readonly SessionCall[]): readonly CallRow[] {
  const steps = new Map<string, number>()
  return calls.map(({ call, priced, miss }) => {
    const step = (steps.get(call.thread) ?? 0) + 1
    steps.set(call.thread, step)
    return {
      ...{ id: callId(session, call.id), session: session.id, turn: call.thread, step, at: call.at },
      ...{ model: call.model, client: clientTitle(call.client), usage: shownUsage(call.usage) },
      ...{ costUsd: priced.costUsd, isSimulated: false, miss: miss ? shownMiss(miss) : null, error: null },
    }
  })
}

function shownUsage({ uncached, read, write, output }: SessionCall["call"]["usage"]): ShownUsage {
  const written = Object.values(write).reduce((sum, tokens) => sum + tokens, 0)
  return { uncached, read, written, output }
}

/** In the words of our own record, where it has one. */
const CAUSES: Readonly<Record<BillMissCause, string>> = {
  ...{ "text-changed": "changed", "tools-changed": "changed", "messages-changed": "changed" },
  ...{ "settings-changed": "changed", "look-back": "beyond-look-back" },
  ...{ "model-changed": "model-changed", expired: "expired", evicted: "evicted" },
  ...{ compacted: "compacted", unknown: "unknown" },
}

function shownMiss(miss: BillMiss): ShownMiss {
  const { cause, tokens, costUsd, owner, before, after } = miss
  return {
    ...{ cause: CAUSES[cause], tokens, costUsd, sentence: missSentence(miss) },
    ...{ path: owner?.path ?? null, line: owner?.line ?? owner?.lineBefore ?? null },
    ...{ before: before ?? null, after: after ?? null },
  }
}
