// What becomes of each field of a request. One table for each API, from which requests are checked and the reference is
// written.

import { unsupported } from "../surface-error.ts"
import type { Body } from "./read-body.ts"

/** What becomes of a field. */
export type Field =
  /** It has the effect that the API documents, or the one that `note` describes. */
  | { readonly kind: "used"; readonly note?: string }
  /** It has no effect; a header of the answer names it. */
  | { readonly kind: "ignored"; readonly note?: string }
  /** Values that would be missing from the answer are refused. `fine`: those that ask for nothing. */
  | {
      readonly kind: "refused"
      readonly fine?: (value: unknown) => boolean
      readonly why: string
      readonly note?: string
    }

export type Fields = Readonly<Record<string, Field>>

/** Throws for the first field that asks for something that would be missing from the answer. */
export function checkFields(body: Body, fields: Fields): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== "refused") continue
    const { fine = isEmpty, why } = field
    const value = body[name] ?? undefined
    if (value !== undefined && !fine(value)) throw unsupported(name, why)
  }
}

function isEmpty(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0)
}

const MOST_IGNORED = 20

/** The fields of a request that have no effect, unknown ones among them. Names that no API uses are left out. */
export function ignoredFields(body: Body, fields: Fields): readonly string[] {
  const isIgnored = (name: string) => !Object.hasOwn(fields, name) || fields[name]?.kind === "ignored"
  return Object.keys(body)
    .filter((name) => isIgnored(name) && body[name] !== null && /^\w{1,40}$/.test(name))
    .slice(0, MOST_IGNORED)
}
