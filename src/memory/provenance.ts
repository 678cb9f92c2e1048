// Who wrote an entry, with what trust and when: one comment at the left edge, above the entry. Text that is written
// is always indented below it, so no text can be read as such a line.
import { digest } from "../core/digest.ts"
import { isTrust, type Trust } from "../core/trust.ts"

export interface Provenance {
  readonly by: string
  readonly trust: Trust
  /** As in `Date.prototype.toISOString`. */
  readonly at: string
}

const LINE = /^<!-- by (.+?) \| (\w+) \| (\d{4}-\d\d-\d\dT[\d:.]+Z) \| sha256:[0-9a-f]{64} -->\s*$/
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._@:+-]{0,62}[\p{L}\p{N}])?$/u

export function provenanceOf(line: string): Provenance | undefined {
  const [, by, trust, at] = LINE.exec(line) ?? []
  return by !== undefined && isTrust(trust) && at !== undefined ? { by, trust, at } : undefined
}

/** The line, with the digest of the text as it was written: a later change by hand can be seen. */
export function provenanceLine({ by, trust, at }: Provenance, text: string): string {
  return `<!-- by ${by} | ${trust} | ${at} | ${digest(text)} -->`
}

/** A name that can not break out of the line. */
export function isName(by: string): boolean {
  return NAME.test(by) && !by.includes("--")
}
