// Whose text our own agents' calls paid for: each call in parts, as its detail shows them, summed by owner. One pass over
// the newest calls, as far as there is time; what was found of a call is kept.
import { setImmediate as letOthersRun } from "node:timers/promises"
import { plural, thousands } from "../../../base/text/figures.ts"
import { identityOf, isRepeated } from "../../../capture/bill/owners/owner-identity.ts"
import { createOwnerLedger } from "../../../capture/bill/owners/owner-ledger.ts"
import type { Owner } from "../../../capture/owner.ts"
import { createRecentlyUsed, type RecentlyUsed } from "../../../database/recently-used.ts"
import { refOf } from "../../../database/text-ref.ts"
import { type Receipt, textsOf } from "../../../record/ask/replay.ts"
import { OFFLINE_CALLS } from "../../../record/prices/offline-calls.ts"
import { partsOfCall } from "../agent/call-detail.ts"
import { callRows } from "../agent/call-page.ts"
import { pagesOf, type SeenSessions } from "../agent/carried.ts"
import type { Recorded } from "../agent/recorded.ts"
import { callId, type RecordedCall, recordedCalls } from "../agent/recorded-call.ts"
import { withRememberedTexts } from "../agent/remembered-texts.ts"
import type { CostsAsked } from "../page-source.ts"
import type { CallPlace, CostsBy, ShownCosts, ShownPart, ShownSums } from "../shown.ts"
import { added } from "./agent-costs.ts"
import { MOST_OWNERS_SHOWN, NO_SUMS, shownOwner } from "./owner-costs.ts"

const MOST_CALLS = 5_000
const MOST_MS = 4_000
/** Owners that are told apart. */
const MOST_OWNERS = 5_000

/** What one call paid for one owner. */
interface CallCharge {
  readonly owner: Owner
  readonly tokens: number
  readonly costUsd: number | null
  /** Of what comes again with other text: the texts, by digest, with their tokens. */
  readonly texts: readonly (readonly [digest: string, tokens: number])[]
}

interface ChargedCall {
  readonly place: CallPlace
  readonly sums: ShownSums
  readonly isFree: boolean
  readonly charges: readonly CallCharge[]
}

export type ChargedCalls = RecentlyUsed<string, ChargedCall>

export function keptCharges(): ChargedCalls {
  return createRecentlyUsed<string, ChargedCall>(MOST_CALLS)
}

export interface OwnersAsked extends Pick<CostsAsked, "since" | "until">, SeenSessions {
  readonly ways: readonly CostsBy[]
  readonly kept: ChargedCalls
}

export async function agentOwners(given: Recorded, asked: OwnersAsked): Promise<ShownCosts> {
  const recorded = { ...given, store: withRememberedTexts(given.store) }
  const sums = createSums()
  const { looked, isWhole } = await addCalls(recorded, asked, sums.add)
  const { owners, total, isFree } = sums.result()
  return {
    ...{ by: "owner", ways: asked.ways, rows: [], owners, total, isOpen: true },
    notes: [
      ...(isWhole ? [] : [`Of the newest ${thousands(looked)} calls: more take too long at once.`]),
      ...(total.unpriced === 0 ? [] : [`${plural(total.unpriced, "call")} without a known price.`]),
      ...(isFree ? [OFFLINE_CALLS] : []),
    ],
  }
}

async function addCalls(
  recorded: Recorded,
  asked: OwnersAsked,
  add: (call: ChargedCall) => void,
): Promise<{ readonly looked: number; readonly isWhole: boolean }> {
  const { sessions, seen, since = 0, until = Number.MAX_SAFE_INTEGER } = asked
  const end = performance.now() + MOST_MS
  const texts = textsOf(recorded.store)
  let looked = 0
  const isWanted = ({ at }: Receipt) => at >= since && at < until
  for await (const receipts of pagesOf(recorded.store, sessions, seen)) {
    // Later pages of a session are older still.
    if (sessions === undefined && receipts.length > 0 && receipts.every(({ at }) => at < since)) break
    for (const call of await recordedCalls(recorded.store, receipts.filter(isWanted))) {
      if (call.answered?.usage === undefined) continue
      if (looked >= MOST_CALLS || performance.now() > end) return { looked, isWhole: false }
      add(await chargedCall(recorded, call, { ...asked, texts }))
      looked += 1
      await letOthersRun()
    }
  }
  return { looked, isWhole: true }
}

async function chargedCall(
  recorded: Recorded,
  call: RecordedCall,
  { kept, seen, texts }: OwnersAsked & { readonly texts: ReturnType<typeof textsOf> },
): Promise<ChargedCall> {
  const key = `${callId(call.receipt)} ${call.receipt.id} ${seen.sight === undefined}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const { parts } = await partsOfCall(recorded, { call, seen, texts })
  const [row] = await callRows({ ...recorded, misses: NO_MISSES }, [call], seen)
  const usage = row?.usage ?? NO_SUMS.usage
  const costUsd = row?.costUsd ?? null
  const answer = answerCharge(parts, usage.output, costUsd)
  const charged: ChargedCall = {
    place: { session: call.receipt.session, call: callId(call.receipt) },
    sums: { calls: 1, usage, costUsd, unpriced: costUsd === null ? 1 : 0 },
    isFree: row?.isSimulated === true,
    charges: [...chargesOf(parts), ...answer],
  }
  kept.set(key, charged, 1)
  return charged
}

const NO_MISSES: Recorded["misses"] = { find: async () => [] }
const OUTPUT: Owner = { kind: "output", match: "exact" }

/** What is left of the cost is that of the answer. */
function answerCharge(
  parts: readonly ShownPart[],
  output: number,
  costUsd: number | null,
): readonly CallCharge[] {
  if (output === 0) return []
  const input = parts.reduce((sum, part) => sum + (part.costUsd ?? 0), 0)
  const own = costUsd === null ? null : Math.max(0, costUsd - input)
  return [{ owner: OUTPUT, tokens: output, costUsd: own, texts: [["", output]] }]
}

/** One for each owner, so that little is kept. */
function chargesOf(parts: readonly ShownPart[]): readonly CallCharge[] {
  const shares = parts.flatMap((part) => {
    const length = part.spans.reduce((sum, { start, end }) => sum + end - start, 0)
    const spans = length === 0 ? [{ start: 0, end: 1, section: null, owner: null }] : part.spans
    return spans.map((span) => ({
      part,
      owner: ownerOf(part, span),
      share: (span.end - span.start) / Math.max(1, length),
    }))
  })
  return [...Map.groupBy(shares, ({ owner }) => identityOf(owner)).values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const owner = withAllLines(own.map((one) => one.owner))
    const isPriced = own.every(({ part }) => part.costUsd !== null)
    return [
      {
        owner,
        tokens: own.reduce((sum, { part, share }) => sum + part.tokens * share, 0),
        costUsd: isPriced ? own.reduce((sum, { part, share }) => sum + (part.costUsd ?? 0) * share, 0) : null,
        texts: isRepeated(owner)
          ? own.map(({ part, share }) => [refOf(part.text), part.tokens * share] as const)
          : [],
      },
    ]
  })
}

function withAllLines(owners: readonly Owner[]): Owner {
  const [first = OUTPUT] = owners
  const lines = owners.flatMap((owner) => owner.lines ?? [])
  return lines.length === 0 ? first : { ...first, lines: [Math.min(...lines), Math.max(...lines)] }
}

/** What the compiler itself wrote is put down to its section. */
function ownerOf(part: ShownPart, { section, owner }: ShownPart["spans"][number]): Owner {
  if (owner !== null) return owner
  if (section !== null) return { kind: "client", name: section, match: "exact" }
  if (part.kind === "tool-result") return { kind: "tool-result", name: part.tool ?? "", match: "exact" }
  const name = part.tier === "system" ? "between sections" : "turn context of earlier turns"
  return { kind: "client", name, match: "exact" }
}

function createSums() {
  const ledger = createOwnerLedger(MOST_OWNERS)
  const newest = new Map<string, CallPlace>()
  const seen = new Set<string>()
  let total: ShownSums = NO_SUMS
  let isFree = false
  return {
    add(call: ChargedCall) {
      ledger.nextCall()
      total = added(total, call.sums)
      isFree ||= call.isFree
      for (const { owner, tokens, costUsd, texts } of call.charges) {
        const identity = identityOf(owner)
        if (!newest.has(identity)) newest.set(identity, call.place)
        const charge = { owner, sentTokens: tokens, costUsd }
        if (texts.length === 0) ledger.charge({ ...charge, tokens, isNew: true })
        else ledger.charge({ ...charge, tokens: newTokens(call, identity, texts), isNew: true })
      }
    },
    result: () => ({
      ...{ total, isFree },
      owners: ledger
        .owners(MOST_OWNERS_SHOWN)
        .map((cost) =>
          shownOwner(cost, cost.others === undefined ? (newest.get(identityOf(cost)) ?? null) : null),
        ),
    }),
  }

  /** Each text counts once in a session; each answer by itself. */
  function newTokens(call: ChargedCall, identity: string, texts: CallCharge["texts"]): number {
    return texts.reduce((sum, [digest, tokens]) => {
      if (digest === "") return sum + tokens
      const key = `${call.place.session} ${identity} ${digest}`
      if (seen.has(key)) return sum
      seen.add(key)
      return sum + tokens
    }, 0)
  }
}
