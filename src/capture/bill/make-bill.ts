// Makes a bill of what clients left on this machine, in two passes: what was used, which is fast, and then what was sent
// and why it was paid for. Only reads.
import { o200k } from "../../tokens/o200k.ts"
import { collectNotes } from "../collect-notes.ts"
import { advise } from "./advice/advise.ts"
import type { Bill, OwnerCost } from "./bill.ts"
import { findFiles } from "./found-files.ts"
import { UNRECORDED } from "./owners/charge-call.ts"
import { groupCosts } from "./owners/groups.ts"
import type { BillQuestion } from "./question.ts"
import { type Details, readDetails } from "./read-details.ts"
import { type PassOptions, sumUsage, type UsageSums } from "./usage/sum-usage.ts"
import { pricesByHour } from "./usage/sums.ts"

/** Owners on a bill; the rest is in one for each kind and group. */
const MOST_OWNERS_SHOWN = 500

export async function makeBill(question: BillQuestion): Promise<Bill> {
  const { diagnostics, onNote } = collectNotes()
  const priceOf = pricesByHour(question.priceOf)
  const start = performance.now()
  const found = await findFiles(question, onNote)
  const pass = { question, found, priceOf, onNote }
  const usage = await sumUsage(pass)
  const between = performance.now()
  const details = question.details === false ? undefined : await readWhole(pass, usage)
  const end = performance.now()
  return {
    ...usage.sums.total(),
    ...{ from: usage.sums.from, to: usage.sums.to, since: question.since, until: question.until },
    timeZone: question.timeZone,
    byDay: usage.sums.byDay(),
    bySession: usage.sums.bySession(),
    byClient: usage.sums.byClient(),
    byModel: usage.sums.byModel(),
    prices: usage.sums.prices(),
    ...(details === undefined ? withoutDetails(usage) : detailed(usage, details)),
    reading: {
      ...{ files: found.files.length, bytes: found.bytes, skippedFiles: found.skipped },
      ...{ usageMs: Math.round(between - start), detailMs: Math.round(end - between) },
      ...{ duplicates: usage.duplicates, clients: found.clients },
    },
    diagnostics,
  }
}

type Detailed = Pick<
  Bill,
  | "exact"
  | "estimatedCalls"
  | "estimated"
  | "groups"
  | "owners"
  | "missedUsd"
  | "missGroups"
  | "misses"
  | "advice"
>

function withoutDetails({ sums }: UsageSums): Detailed {
  const none = { estimated: [], groups: [], owners: [], missGroups: [], misses: [], advice: [] }
  return { ...none, exact: false, estimatedCalls: sums.total().calls, missedUsd: null }
}

/** A file may have changed between the passes; what is missing in the second one is not recorded, so that all adds up. */
async function readWhole(pass: PassOptions, { sums, ids }: UsageSums): Promise<Details> {
  const details = await readDetails({ ...pass, ids, counter: o200k })
  const total = sums.total()
  if (details.calls >= total.calls) return details
  const { uncached, read, written, output } = total.tokens
  const tokens = Math.max(0, uncached + read + written + output - details.tokens)
  const costUsd = total.costUsd === null ? null : Math.max(0, total.costUsd - details.costUsd)
  details.ledger.nextCall()
  details.ledger.charge({ owner: UNRECORDED, tokens, sentTokens: tokens, costUsd, isNew: true })
  return details
}

function detailed({ sums }: UsageSums, details: Details): Detailed {
  const { ledger, misses, coverages, toolUse, whatIf } = details
  const total = sums.total()
  const owners = ledger
    .owners(MOST_OWNERS_SHOWN)
    .map((owner): OwnerCost => ({ ...owner, used: toolUse.usedOf(owner) }))
  const estimatedCalls = coverages.estimatedCalls + total.calls - details.calls
  const missGroups = misses.groups()
  const isWellKnown = (owner: OwnerCost) => {
    const client = toolUse.clientOf(owner)
    return client !== undefined && coverages.exactShare(client) >= WELL_KNOWN
  }
  return {
    ...{ exact: estimatedCalls === 0, estimatedCalls, estimated: coverages.estimated() },
    ...{ groups: groupCosts(owners), owners },
    ...{ missedUsd: misses.totalUsd(), missGroups, misses: misses.misses() },
    advice: advise({
      costUsd: total.costUsd ?? 0,
      ...{ owners, missGroups, whatIfs: whatIf.results(), isWellKnown },
      client: sums.mainClient(),
    }),
  }
}

/** Of a client's calls, this share has to be exact before something is said to be unused. */
const WELL_KNOWN = 0.98
