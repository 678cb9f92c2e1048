// What became of documents that were moved between a folder and the database.

import { plural } from "../../base/text/figures.ts"
import type { Fate, Moved, Transfer } from "../../workspace/documents/transfer.ts"

/** Those that are the same on both sides are only counted. */
export function transferView({ documents, verified }: Transfer, isDry: boolean): readonly string[] {
  const count = (fate: Fate) => documents.filter((one) => one.fate === fate).length
  const written = plural(count("written"), "document")
  const [differing, skipped] = [count("differs"), count("skipped")]
  const sums = [
    isDry ? `${written} would be written` : `${written} written, ${verified} verified`,
    `${count("same")} unchanged`,
    ...(differing > 0 ? [`${differing} left alone because the text differs (--force replaces it)`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return [
    ...documents.filter(({ fate }) => fate !== "same").map((one) => lineOf(one, isDry)),
    sums.join(", "),
  ]
}

function lineOf({ path, fate, reason }: Moved, isDry: boolean): string {
  const word = fate === "written" && isDry ? "would write" : fate
  return `${word}  ${path}${reason === undefined ? "" : `: ${reason}`}`
}
