// The chosen part, line by line.
import { useMemo } from "preact/hooks"
import { change, count } from "../../parts/figures.ts"
import { lineRows } from "../../parts/lines/line-rows.ts"
import { TextDiff } from "../../parts/lines/text-diff.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import type { DiffPart } from "./diff-parts.ts"
import type { PartChange } from "./part-changes.ts"

/** More takes longer than a frame to compare. */
const MOST_CHARACTERS = 1_000_000

export function ChangedText({ change: chosen }: { readonly change: PartChange }) {
  const { left, right, title, kind, reason } = chosen
  const [before, after] = [textOf(left), textOf(right)]
  const rows = useMemo(
    () => (before === undefined || after === undefined ? [] : lineRows(before, after)),
    [before, after],
  )
  const isCut = [left, right].some((part) => (part?.text?.length ?? 0) > MOST_CHARACTERS)
  const sources = [...new Set([left?.source, right?.source])].filter((one) => one !== undefined && one !== "")
  return (
    <section class="diff-text" aria-labelledby="diff-text-title">
      <h2 id="diff-text-title">{visibleName(title)}</h2>
      <p class="quiet small">
        {kind} · {kind === "unchanged" ? `${count(right?.tokens ?? 0)} tokens` : tokensText(left, right)}
        {sources.length > 0 && ` · ${visibleName(sources.join(" → "))}`}
      </p>
      {reason !== "" && <p>{visibleName(reason)}</p>}
      {isCut && <p>Only the first {count(MOST_CHARACTERS)} characters are compared.</p>}
      {before === undefined || after === undefined ? (
        <p class="quiet">Its text isn't known on both sides.</p>
      ) : (
        <TextDiff rows={rows} />
      )}
    </section>
  )
}

/** Empty where the part is not there at all; undefined where its text isn't known. */
function textOf(part: DiffPart | undefined): string | undefined {
  if (part === undefined) return ""
  return part.text === null ? undefined : part.text.slice(0, MOST_CHARACTERS)
}

function tokensText(left: DiffPart | undefined, right: DiffPart | undefined): string {
  const [was, is] = [left?.tokens ?? 0, right?.tokens ?? 0]
  return `${count(was)} to ${count(is)} tokens, ${change(is - was)}`
}
