// Puts a call of any client into a record, so that the record's questions work on it: an `api_call` event with what was
// used, the request as a receipt, and its cost by tool and block of system text.
import { saveUsage } from "../../record/ask/section-costs.ts"
import { saveForeignReceipt } from "../../record/write/receipts.ts"
import type { Recorder } from "../../record/write/record.ts"
import type { JsonObject } from "../../record/write/request-marks.ts"
import type { Price } from "../../render/cache/price.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { CapturedCall } from "../call.ts"
import { createSplitter, type Splitter } from "../split/splitter.ts"
import { factsOf, recordSession, STEP } from "./call-event.ts"
import { requestReport } from "./request-report.ts"
import { textMark, withoutText } from "./without-text.ts"

export interface KeepOptions {
  /** At the time of the call; null if it is unknown. */
  readonly price: Price | null
  /** Keeps counts and digests, and no text. */
  readonly metadataOnly?: boolean | undefined
  /** Pass the same one for many calls, so that each text is counted once. */
  readonly splitter?: Splitter | undefined
}

/** Queues a call. The caller sees to it that a call is kept once. */
export function keepCall(recorder: Recorder, call: CapturedCall, options: KeepOptions): void {
  const { price, metadataOnly = false } = options
  const { id: turn, at, model, usage, reportedUsd } = call
  const session = recordSession(call)
  const step = STEP
  if (call.request !== undefined) {
    const { splitter = createSplitter({ counter: o200k }) } = options
    const { parts } = splitter(call.request, call.format)
    const shown = metadataOnly ? textMark : ({ text }: { readonly text: string }) => text
    saveForeignReceipt(recorder, {
      ...{ turn, step, at, session, model, trust: "full" },
      request: metadataOnly ? withoutText(call.request) : call.request,
      report: requestReport(parts, { model, counter: o200k.name, shown }),
      about: metadataOnly ? { coverage: "none" } : aboutOf(call),
    })
  }
  // What a client reports is used only if there is no price: calls of a subscription cost it nothing.
  const costUsd = price === null && reportedUsd !== undefined ? { costUsd: reportedUsd } : {}
  const facts = { at, session, turn, step, usage, price, ...costUsd }
  recorder.append({
    ...{ type: "api_call", trace: turn, agent: call.client, trust: "full", model, ...facts },
    data: factsOf(call, metadataOnly),
  })
  saveUsage(recorder, facts)
}

/** Files are kept with the request, whose texts are stored once each. */
function aboutOf({ coverage, files }: CapturedCall): JsonObject {
  return { coverage, files: files.map(({ path, text }) => ({ path, text })) }
}
