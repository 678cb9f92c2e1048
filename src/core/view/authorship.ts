// Who wrote an entry of memory, with what trust and when: one comment at the left edge, above the entry. Written text
// is always indented below it, so no text can pass for such a line, and all indented text belongs to the author.
import { digest } from "../../base/digest.ts"
import { escapeBrackets, readAfter } from "../../base/text/lenient-tags.ts"
import { isTrust, leastOf, type Trust } from "../../base/trust.ts"

export interface Provenance {
  readonly by: string
  readonly trust: Trust
  /** In the format of `Date.prototype.toISOString`. */
  readonly at: string
}

const LINE = /^<!-- by (.+?) \| (\w+) \| (\d{4}-\d\d-\d\dT[\d:.]+Z) \| sha256:[0-9a-f]{64} -->\s*$/
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._@:+-]{0,62}[\p{L}\p{N}])?$/u

export function provenanceOf(line: string): Provenance | undefined {
  const [, by, trust, at] = LINE.exec(line) ?? []
  return by !== undefined && isName(by) && isTrust(trust) && at !== undefined ? { by, trust, at } : undefined
}

/** As the model sees it: "bob (familiar)". */
export function authorText({ by, trust }: Pick<Provenance, "by" | "trust">): string {
  return `${by} (${trust})`
}

/** What follows the bracket of anything that may be read as the start of an authorship line. */
const FORGED = "!-by"

/** Shortens an authorship line, and escapes any other text that looks like one. */
export function authoredLine(line: string): string {
  const found = provenanceOf(line)
  if (found !== undefined) return `<!-- by ${found.by} | ${found.trust} | ${found.at.slice(0, 10)} -->`
  return escapeBrackets(line, (at) => readAfter(line, at + 1, FORGED.length) === FORGED)
}

/** Whether the line continues the entry above it. A line at the left edge begins something else. */
export function isFurther(line: string): boolean {
  return line === "" || /^\s/.test(line)
}

/** Merges several entries: all their authors, with the lowest trust. `isMixed`: some entries have no author. */
export function jointProvenance(all: readonly (Provenance | undefined)[]): Provenance | undefined {
  const signed = all.filter((one) => one !== undefined)
  const [first] = signed
  if (first === undefined) return undefined
  const names = [...new Set(signed.map(({ by }) => by))]
  const others = signed.length < all.length || names.length > MOST_NAMES ? ["others"] : []
  return {
    by: [...names.slice(0, MOST_NAMES), ...others].join(" and "),
    trust: signed.map(({ trust }) => trust).reduce(leastOf),
    at: signed.map(({ at }) => at).reduce((a, b) => (a > b ? a : b)),
  }
}

const MOST_NAMES = 3

/** The lines of a file without signed entries, and the provenance of the first signed entry. */
export function unsignedLines(lines: readonly string[]): {
  readonly lines: readonly string[]
  readonly first: Provenance | undefined
} {
  const own: string[] = []
  let first: Provenance | undefined
  let state: "own" | "signed" | "entry" = "own"
  for (const line of lines) {
    const found = provenanceOf(line)
    if (found !== undefined) {
      first ??= found
      state = "signed"
    } else if (state === "signed" && line.trim() !== "") state = "entry"
    else if (state === "entry" && !isFurther(line)) state = "own"
    if (state === "own") own.push(line)
  }
  return { lines: own, first }
}

/** The authorship line. It contains a digest of the text, so that later changes by hand are visible. */
export function provenanceLine({ by, trust, at }: Provenance, text: string): string {
  return `<!-- by ${by} | ${trust} | ${at} | ${digest(text)} -->`
}

/** Whether a name is safe to write into the line. */
export function isName(by: string): boolean {
  return NAME.test(by) && !by.includes("--")
}
