// Keeps the calls that a host has made in a record: the request as a receipt with its plan, what was used, and its cost
// section by section.
import { saveUsage } from "../../record/ask/section-costs.ts"
import { priceFor } from "../../record/prices/prices.ts"
import { saveReceipt } from "../../record/write/receipts.ts"
import type { Recorder } from "../../record/write/record.ts"
import type { HostedCall } from "./hosted-call.ts"

/** Makes what the option `onCall` of `openChat` takes. */
export function recordCalls(recorder: Recorder): (call: HostedCall) => void {
  return ({ chat, turnId: turn, step, model, prompt, request, usage, startedAt, endedAt: at }) => {
    const { trust } = prompt.plan.audience
    const facts = { turn, step, at, session: chat }
    if (request !== undefined) saveReceipt(recorder, { ...facts, trust, model, prompt, request })
    const price = priceFor(model, { at: startedAt })
    const used = usage && { usage, price }
    recorder.append({
      ...{
        type: "api_call",
        agent: prompt.plan.profile,
        trust,
        model,
        trace: turn,
        durationMs: at - startedAt,
      },
      ...facts,
      ...used,
    })
    if (used) saveUsage(recorder, { ...facts, ...used })
  }
}
