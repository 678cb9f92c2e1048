// `bill`: what coding agents on this machine spent, on what, what was paid for twice, and what to change. For operators.
import type { Bill, OwnerCost } from "../../../capture/bill/bill.ts"
import { missSentence } from "../../../capture/bill/misses/miss-text.ts"
import { localDay } from "../../../record/ask/zone.ts"
import { isOffline, OFFLINE_CALLS } from "../../../record/prices/offline-calls.ts"
import { BILL } from "../definitions.ts"
import { ABOUT_ANSWER, fields, listOf, NUMBER, TEXT, USD } from "./answer-schema.ts"
import { sinceOf } from "./cost.ts"
import { badInput, mcpTool } from "./mcp-tool.ts"
import { ownerText } from "./owner-text.ts"

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 6

const group = fields({ group: TEXT, costUsd: USD, share: NUMBER })
const twice = fields({ cause: TEXT, times: NUMBER, tokens: NUMBER, costUsd: USD, costliest: TEXT })
const advice = fields({ text: TEXT, savesUsd: NUMBER, command: TEXT }, ["command"])
const owner = fields({ what: TEXT, costUsd: USD, tokens: NUMBER, calls: NUMBER })

export const billTool = mcpTool(BILL, {
  answer: fields(
    {
      ...{ from: TEXT, to: TEXT, sessions: NUMBER, calls: NUMBER, costUsd: USD, unpriced: NUMBER },
      ...{ estimatedCalls: NUMBER, groups: listOf(group), paidTwice: listOf(twice), paidTwiceUsd: USD },
      ...{ advice: listOf(advice), owners: listOf(owner), note: TEXT, ...ABOUT_ANSWER },
    },
    ["from", "to", "note", "left"],
  ),
  isFor: ({ bill }) => bill !== undefined,
  async run({ since, client, session }, { view, signal, progress }) {
    if (view.bill === undefined) throw badInput("only an operator sees the bill of this machine")
    const from = since === undefined ? view.now() - DEFAULT_DAYS * DAY_MS : sinceOf(since, view)
    const onProgress = ({ doneBytes, bytes }: { readonly doneBytes: number; readonly bytes: number }) =>
      progress(doneBytes, bytes)
    const bill = await view.bill({ since: from, client, session, onProgress, signal })
    return {
      data: shownBill(bill),
      ...{
        lists: ["groups", "advice", "paidTwice", "owners"],
        how: "`incipit bill` in a terminal has all of it",
      },
    }
  },
})

function shownBill(bill: Bill) {
  const day = (at: number | undefined) => (at === undefined ? undefined : localDay(at, bill.timeZone))
  const { sessions, calls, costUsd, unpriced, estimatedCalls } = bill
  return {
    ...{ from: day(bill.from), to: day(bill.to), sessions, calls, costUsd, unpriced, estimatedCalls },
    ...(bill.prices.some(({ model }) => isOffline(model)) && { note: OFFLINE_CALLS }),
    groups: bill.groups.map((one) => ({ group: one.group, costUsd: one.costUsd, share: one.share })),
    advice: bill.advice.map(({ text, savesUsd, command }) => ({ text, savesUsd, command })),
    paidTwiceUsd: bill.missedUsd,
    paidTwice: bill.missGroups.map((one) => ({
      ...{ cause: one.cause, times: one.count, tokens: one.tokens, costUsd: one.costUsd },
      costliest: missSentence(one.costliest),
    })),
    owners: bill.owners.map(shownOwner),
  }
}

function shownOwner({ carriedUsd, tokens, calls, others = 0, ...owner }: OwnerCost) {
  const what = others > 0 ? `${others} more of ${owner.kind}` : ownerText(owner)
  return { what, costUsd: carriedUsd, tokens, calls }
}
