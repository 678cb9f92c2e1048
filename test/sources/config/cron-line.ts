// Lines of cron as people and machines write them, for properties.
import fc from "fast-check"

function field(low: number, high: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: low, max: high })
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
  const step = fc.integer({ min: 2, max: Math.max(2, Math.floor((high - low) / 2)) })
  const part = fc.oneof(
    value.map(String),
    range,
    fc.tuple(range, step).map(([span, by]) => `${span}/${by}`),
  )
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(","))
}

function often(rest: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant("*") }, { weight: 1, arbitrary: rest })
}

/** Some, such as a 30 February, never come. */
export const cronLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(field(0, 59), fc.constantFrom("*", "*/5", "*/15", "0")),
    fc.oneof(field(0, 23), fc.constantFrom("*", "*/2", "2", "1-3")),
    often(field(1, 31)),
    often(field(1, 12)),
    often(field(0, 7)),
  )
  .map((fields) => fields.join(" "))
