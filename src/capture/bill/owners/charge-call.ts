// Shares the cost of one call among the owners of its request: read tokens first, then written ones, then the rest, as
// the prefix is. What is not recorded is the client's own. The shares add up to the cost of the call.
import { prefixCost } from "../../../record/ask/prefix-cost.ts"
import { inputOf } from "../../../render/cache/price.ts"
import type { CapturedCall } from "../../call.ts"
import type { OwnedSpan, Owner } from "../../owner.ts"
import type { CallPart } from "../../split/part.ts"
import { NOT_RECORDED, REST_NOT_RECORDED } from "../bill.ts"
import type { PricedCall } from "../usage/sums.ts"
import type { OwnerLedger } from "./owner-ledger.ts"

/** A call with the owners of its request, as far as it is known. */
export interface OwnedCall {
  readonly call: CapturedCall
  readonly priced: PricedCall
  /** In prefix order; empty if the request is not recorded. */
  readonly parts: readonly CallPart[]
  /** For each part. */
  readonly owned: readonly (readonly OwnedSpan[])[]
}

export interface ChargeOptions {
  /** The model's tokens for each of ours. */
  readonly factor: number
  /** Whether a part was in no call before. */
  readonly isNew: (part: CallPart) => boolean
}

const OUTPUT: Owner = { kind: "output", match: "exact" }
/** Of calls whose request is not recorded. */
export const UNRECORDED: Owner = { kind: "client", name: NOT_RECORDED, match: "inferred" }
/** Of what a partly recorded request does not hold. */
export const REST: Owner = { kind: "client", name: REST_NOT_RECORDED, match: "inferred" }

export function chargeCall(ledger: OwnerLedger, owned: OwnedCall, options: ChargeOptions): void {
  const { call, priced, parts } = owned
  const input = inputOf(call.usage)
  const cost = prefixCost({ usage: call.usage, ...priced })
  let position = 0
  let paid = 0
  const charge = (owner: Owner, tokens: number, sentTokens: number, isNew: boolean) => {
    position += sentTokens
    const upTo = cost?.upTo(position) ?? 0
    ledger.charge({ owner, tokens, sentTokens, costUsd: cost && upTo - paid, isNew })
    paid = upTo
  }
  ledger.nextCall()
  const { scale, rest } = proportion(owned, input, options.factor)
  if (rest > 0) charge(parts.length === 0 ? UNRECORDED : REST, rest, rest, true)
  for (const [at, part] of parts.entries()) {
    const isNew = options.isNew(part)
    const spans = wholeSpans(part, owned.owned[at] ?? [])
    for (const { owner, tokens } of spans)
      charge(owner, tokens, tokens * scale, isNew && owner.kind !== "output")
    const result = part.kind === "tool-result" && spans.find(({ owner }) => owner.kind === "tool-result")
    if (result) ledger.countResult(result.owner, isNew)
  }
  const { output } = call.usage
  if (output === 0 && (cost?.outputUsd ?? 0) === 0) return
  ledger.charge({
    owner: OUTPUT,
    ...{ tokens: output, sentTokens: output, costUsd: cost?.outputUsd ?? null, isNew: true },
  })
}

/** The model's tokens for each counted one, and how many are not recorded. These come first: they are the client's prompt. */
export function proportion(
  { call, parts }: Pick<OwnedCall, "call" | "parts">,
  input: number,
  factor: number,
) {
  const counted = parts.reduce((sum, { tokens }) => sum + tokens, 0)
  if (counted === 0) return { scale: 0, rest: input }
  const all = input / counted
  const scale = call.coverage === "exact" ? all : Math.min(all, factor)
  return { scale, rest: scale === all ? 0 : input - counted * scale }
}

/** The owners of a part, with all of its tokens: what is no text, such as an image, is in no span. */
function wholeSpans(
  part: CallPart,
  spans: readonly OwnedSpan[],
): readonly Pick<OwnedSpan, "owner" | "tokens">[] {
  const counted = spans.reduce((sum, { tokens }) => sum + tokens, 0)
  if (counted === 0) return [{ owner: spans[0]?.owner ?? REST, tokens: part.tokens }]
  if (counted === part.tokens) return spans
  const share = part.tokens / counted
  return spans.map(({ owner, tokens }) => ({ owner, tokens: tokens * share }))
}
