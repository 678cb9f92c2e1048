// A request as a provider's cache sees it: tools, system text and parts of the conversation by digest, with the marks that
// were sent.
import { canonicalJson } from "../../base/digest.ts"
import type { Counter } from "../../core/model/counter.ts"
import { refOf } from "../../database/text-ref.ts"
import { ttlOf } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Call, Piece } from "../../render/cache/call.ts"
import { isObject, type Json } from "../write/request-marks.ts"
import { requestUnits } from "../write/request-units.ts"
import { isBillingLine } from "./normal-form.ts"

/** The pieces of a text, with their sizes. */
export type Measure = (text: string) => readonly Piece[]

/** `at`: milliseconds since the first of the calls. */
export function cacheCall(
  request: Json,
  { at, output, model }: Pick<Call, "at" | "output"> & { readonly model: string },
  measure: Measure,
): Call {
  const { groups, settings, mark: last } = requestUnits(request)
  const usual = ttlOf(ruleFor(model), undefined).name
  const units = groups.flat().filter(({ tier, value }) => tier !== "system" || !isBillingLine(value))
  return {
    ...{ at, output },
    blocks: units.map(({ tier, value: unit, mark: own }, index) => {
      const mark = index === units.length - 1 ? (last ?? own) : own
      return { tier, pieces: measure(jsonText(unit)), ...(mark && { breakpoint: mark.ttl ?? usual }) }
    }),
    settings: { ...settings, model },
  }
}

function jsonText(value: Json): string {
  if (typeof value === "string") return value
  return isObject(value) && typeof value.text === "string" ? value.text : canonicalJson(value)
}

/** Paragraph by paragraph, since some providers match a prefix at any end; each text is measured once. */
export function measurer(counter: Counter): Measure {
  const known = new Map<string, readonly Piece[]>()
  return (text) => {
    const pieces =
      known.get(text) ??
      text.split(/(?<=\n\n)/).map((part) => ({ key: refOf(part), tokens: counter.count(part) }))
    known.set(text, pieces)
    return pieces
  }
}
