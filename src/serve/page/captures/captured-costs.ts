// What calls of clients cost: the bill over the same files, by owner, day, session, model or client.
import { basename } from "node:path"
import { plural } from "../../../base/text/figures.ts"
import type { Bill, BillSum } from "../../../capture/bill/bill.ts"
import { makeBill } from "../../../capture/bill/make-bill.ts"
import type { BillQuestion } from "../../../capture/bill/question.ts"
import { clientTitle } from "../../../capture/client-title.ts"
import { type IndexedSession, type SessionIndex, shortId } from "../../../capture/sessions/session-index.ts"
import { createRecentlyUsed } from "../../../database/recently-used.ts"
import type { Redact } from "../../../record/write/record.ts"
import { MOST_OWNERS_SHOWN, shownOwner } from "../money/owner-costs.ts"
import type { CostsAsked } from "../page-source.ts"
import type { CostsBy, ShownCost, ShownCosts, ShownOwnerCost, ShownSums } from "../shown.ts"

/** Where the bill looks: where the index of sessions looks, too. */
export type BillFiles = Pick<BillQuestion, "machine" | "readers" | "folders" | "priceOf" | "isAsked">

export interface CapturedCostsOptions {
  readonly files: BillFiles
  readonly index: SessionIndex
  readonly redact: Redact
}

export const CAPTURED_WAYS: readonly CostsBy[] = ["owner", "day", "session", "model", "client"]

export type CapturedCosts = (asked: CostsAsked) => Promise<ShownCosts | undefined>

const MOST_BILLS = 6

export function createCapturedCosts({ files, index, redact }: CapturedCostsOptions): CapturedCosts {
  const newBills = () => createRecentlyUsed<string, Promise<Bill>>(MOST_BILLS)
  let bills = newBills()
  let version: readonly IndexedSession[] | undefined
  const billOf = (asked: CostsAsked, session: IndexedSession | undefined): Promise<Bill> => {
    // Files have changed.
    if (version !== index.sessions()) bills = newBills()
    version = index.sessions()
    const { by, since, until, timeZone } = asked
    const details = by === "owner" || by === "person"
    const key = JSON.stringify([details, since, until, timeZone, session?.id])
    const own = session && { session: session.name, client: session.client }
    const bill = bills.get(key) ?? makeBill({ ...files, ...own, since, until, timeZone, details })
    bills.set(key, bill, 1)
    // What failed is tried again.
    bill.catch(() => bills.set(key, bill, Number.POSITIVE_INFINITY))
    return bill
  }
  return async (asked) => {
    await index.whole
    const session = asked.session === undefined ? undefined : index.byId(asked.session)
    if (asked.session !== undefined && session === undefined) return undefined
    return redacted(shownBill(await billOf(asked, session), asked.by), redact)
  }
}

function shownBill(bill: Bill, by: CostsBy): ShownCosts {
  const isByOwner = by === "owner" || by === "person"
  return {
    ...{ by: isByOwner ? "owner" : by, ways: CAPTURED_WAYS, isOpen: true },
    rows: isByOwner ? [] : rowsOf(bill, by),
    owners: isByOwner ? ownersOf(bill) : [],
    total: shownSum(bill),
    notes: notesOf(bill, isByOwner),
  }
}

function ownersOf({ owners }: Bill): readonly ShownOwnerCost[] {
  return owners.slice(0, MOST_OWNERS_SHOWN).map((owner) => shownOwner(owner, null))
}

function rowsOf(bill: Bill, by: Exclude<CostsBy, "owner" | "person">): readonly ShownCost[] {
  const plain = { who: null, newest: null }
  switch (by) {
    case "day":
      return bill.byDay.map((sum) => ({ key: sum.key, title: sum.key, ...shownSum(sum), ...plain }))
    case "model":
      return bill.byModel.map((sum) => ({ key: sum.key, title: sum.key, ...shownSum(sum), ...plain }))
    case "client":
      return bill.byClient.map((sum) => ({
        ...{ key: sum.key, title: clientTitle(sum.key), ...plain },
        ...shownSum(sum),
      }))
    default:
      return bill.bySession.map(({ key, client, project = "", ...sum }) => ({
        key: shortId(`${client}\n${key}`),
        title: `${project === "" ? key : basename(project)} · ${clientTitle(client)}`,
        ...shownSum(sum),
        ...plain,
      }))
  }
}

function shownSum({ calls, tokens, costUsd, unpriced }: Omit<BillSum, "sessions" | "reported">): ShownSums {
  return { calls, usage: tokens, costUsd, unpriced }
}

function notesOf({ estimatedCalls, unpriced, reported }: Bill, isDetailed: boolean): readonly string[] {
  return [
    ...(unpriced === 0 ? [] : [`${plural(unpriced, "call")} without a known price.`]),
    ...(reported === 0 ? [] : [`${plural(reported, "call")} with the price that the client says.`]),
    ...(estimatedCalls === 0 || !isDetailed
      ? []
      : [`${plural(estimatedCalls, "call")} estimated: what was sent is not wholly known.`]),
  ]
}

/** Names of files, tools and what they were called with may hold secrets. */
async function redacted(costs: ShownCosts, redact: Redact): Promise<ShownCosts> {
  const owners = costs.owners.flatMap(({ title, owner }) => [title, owner.input ?? ""])
  const shown = await redact([...costs.rows.map(({ title }) => title), ...owners])
  const from = costs.rows.length
  return {
    ...costs,
    rows: costs.rows.map((row, at) => ({ ...row, title: shown[at] ?? "" })),
    owners: costs.owners.map((row, at) => ({
      ...row,
      key: String(at),
      title: shown[from + 2 * at] ?? "",
      owner:
        row.owner.input === undefined ? row.owner : { ...row.owner, input: shown[from + 2 * at + 1] ?? "" },
    })),
  }
}
