// A call that the provider refused, as an event of a record.
import type { Recorder } from "../../record/write/record.ts"
import type { Exchange } from "../proxy/exchange.ts"
import type { RefusedCall } from "../proxy/exchange-call.ts"

export interface RefusalOptions {
  readonly metadataOnly: boolean
  readonly refused: RefusedCall
}

export function keepRefusal(
  recorder: Recorder,
  { refused, metadataOnly }: RefusalOptions,
  { at, from }: Exchange,
): void {
  const { status, model, session, message } = refused
  recorder.append({
    ...{ type: "api_error", at, durationMs: at - from, session, model, trust: "full" },
    // Providers quote what they refuse.
    error: metadataOnly ? `status ${status}` : message,
    data: { status },
  })
}
