// The captured calls of a session in other ways. Only requests that are known exactly can be simulated.
import type { SentCall, SessionCall } from "../../../capture/sessions/session-calls.ts"
import type { IndexedSession } from "../../../capture/sessions/session-index.ts"
import { cacheCall, type Measure, measurer } from "../../../record/ask/cache-call.ts"
import { ruleFor } from "../../../render/cache/cache-rules.ts"
import { pricedRule } from "../../../render/cache/price.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { type KnownCall, MOST_SIMULATED, simulateSession } from "../money/simulate-session.ts"
import type { Simulated } from "../shown.ts"
import type { SessionReader, SessionReaderOptions } from "./session-reader.ts"

export interface CapturedSimulatedOptions extends Pick<SessionReaderOptions, "priceOf"> {
  readonly reader: SessionReader
}

export async function simulatedCaptured(
  session: IndexedSession,
  { reader, priceOf }: CapturedSimulatedOptions,
): Promise<Simulated> {
  const all = await reader.calls(session)
  const newest = all.slice(-MOST_SIMULATED)
  const at = newest.at(-1)?.call.at ?? 0
  return simulateSession({
    ...{ session: session.id, answered: all.length, models: [] },
    calls: knownCalls(newest, reader.each(session, new Set(newest.map(({ call }) => call.id)))),
    async termsFor(model) {
      const price = priceOf(model, at)
      return { model, price, rule: pricedRule(ruleFor(model), price) }
    },
  })
}

/** In the order of time, whatever order the files have. */
async function* knownCalls(
  calls: readonly SessionCall[],
  sent: AsyncIterable<SentCall>,
): AsyncGenerator<KnownCall | undefined> {
  const measure = measurer(o200k)
  const known = new Map<string, KnownCall | undefined>()
  const order = calls.map(({ call }) => call.id)
  let next = 0
  for await (const one of sent) {
    known.set(one.sent.id, knownCall(one, measure))
    for (let id = order[next]; id !== undefined && known.has(id); id = order[next]) {
      yield known.get(id)
      known.delete(id)
      next += 1
    }
  }
}

function knownCall({ sent, priced }: SentCall, measure: Measure): KnownCall | undefined {
  const { request, coverage, model, at, usage } = sent
  if (request === undefined || coverage !== "exact") return undefined
  const call = cacheCall(request, { at, output: usage.output, model }, measure)
  return { call, costUsd: priced.costUsd, isFree: false }
}
