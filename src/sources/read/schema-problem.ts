// Describes a schema violation in the words of the files that people write. A message in the schema itself takes
// precedence.
import type { z } from "zod"
import { nearest } from "../../base/nearest.ts"

/** An error map: `schema.safeParse(value, { error: schemaProblem })`. */
export function schemaProblem(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing"
      return `must be ${KINDS[issue.expected] ?? issue.expected}, not ${kindOf(issue.input)}`
    case "invalid_value":
      return `must be ${issue.values.join(" or ")}, not ${shown(issue.input)}${guess(issue)}`
    case "too_small":
      if (issue.origin === "string") return "is empty"
      return `must be ${issue.inclusive ? "" : "more than "}${issue.minimum}${issue.inclusive ? " or more" : ""}, not ${shown(issue.input)}`
    case "unrecognized_keys":
      return `has an unknown key "${issue.keys.join('", "')}"`
    default:
      return undefined
  }
}

/** With many values, the intended one is hard to spot in the list. */
function guess({ values, input }: Pick<z.core.$ZodIssueInvalidValue, "values" | "input">): string {
  const [near] = values.length < 8 ? [] : nearest(String(input), values.map(String))
  return near === undefined ? "" : `; did you mean ${near}?`
}

const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  null: "empty",
  number: "a number",
  object: "a map",
  record: "a map",
  string: "a string",
}

function kindOf(value: unknown): string {
  if (value === null) return "empty"
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return KINDS[Array.isArray(value) ? "array" : typeof value] ?? typeof value
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : kindOf(value)
}
