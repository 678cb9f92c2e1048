// Finds the numbers of a JSON text that JavaScript cannot read exactly: `12345678901234567890` gets other last digits.
// Pure.
import { isList, type Json } from "../write/request-marks.ts"

export type JsonPath = readonly (string | number)[]

/** With fewer digits and a smaller exponent, a number is exact. Also matches inside strings. */
const LONG_NUMBER = /(?<![\d.])\d(?:[\d.]{15,}(?:[eE][+-]?\d+)?|[\d.]*[eE][+-]?\d{3,})/g

/** The paths of such numbers. The text is JSON. */
export function roundedNumbers(text: string): readonly JsonPath[] {
  // Usually avoids the slow path.
  if (!text.match(LONG_NUMBER)?.some((number) => isRounded(number, Number(number)))) return []
  const rounded = {}
  const value = JSON.parse(text, (_key, item: unknown, context?: { readonly source?: string }) =>
    typeof item === "number" && isRounded(context?.source ?? "", item) ? rounded : item,
  ) as Json
  const found: JsonPath[] = []
  const look = (item: Json, path: JsonPath): void => {
    if (item === rounded) found.push(path)
    if (typeof item !== "object" || item === null) return
    if (isList(item)) for (const [at, one] of item.entries()) look(one, [...path, at])
    else for (const [key, one] of Object.entries(item)) look(one, [...path, key])
  }
  look(value, [])
  return found
}

function isRounded(source: string, value: number): boolean {
  return plainForm(source) !== plainForm(String(value))
}

/** Normalizes `1.50`, `15e-1` and `1.5` to the same form. */
function plainForm(number: string): string {
  const [, whole, fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  if (whole === undefined) return number
  const digits = `${whole}${fraction}`.replace(/^0+/, "")
  const kept = digits.replace(/0+$/, "")
  return kept === "" ? "0" : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}
