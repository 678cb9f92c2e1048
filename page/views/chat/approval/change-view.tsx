// A change of a file, line by line, with signs: it reads without colours.
import { useMemo, useState } from "preact/hooks"
import { count } from "../../../parts/figures.ts"
import { ScrollBox } from "../../../parts/scroll-box.tsx"
import { changedLines } from "./changed-lines.ts"
import { Spelled } from "./spelled.tsx"

const AT_ONCE = 1_000
const SAID = { "+": "added: ", "−": "removed: ", " ": "", "…": "" } as const
const CLASSES = { "+": "added", "−": "removed", " ": "", "…": "quiet" } as const

export interface ChangeViewProps {
  readonly before: string | undefined
  readonly after: string
  /** False for a piece of a file, whose place is not known. */
  readonly hasNumbers?: boolean
}

export function ChangeView({ before, after, hasNumbers = true }: ChangeViewProps) {
  const lines = useMemo(() => changedLines(before ?? "", after), [before, after])
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, AT_ONCE)
  const endsDiffer = (before?.endsWith("\n") ?? true) !== after.endsWith("\n") && after !== ""
  return (
    <ScrollBox class="change mono" label="Change">
      {lines.length === 0 && <p class="quiet">The text stays the same.</p>}
      {shown.map(({ sign, text, line }, at) => (
        // Lines have no other name than their place.
        <div key={at} class={`change-line ${CLASSES[sign]}`}>
          <span class="change-number" aria-hidden="true">
            {hasNumbers && line}
          </span>
          <span aria-hidden="true">{sign}</span>
          <span class="spoken">{SAID[sign]}</span>
          <span class="change-text">
            <Spelled text={text} />
          </span>
        </div>
      ))}
      {shown.length < lines.length && (
        <button type="button" onClick={() => setIsWhole(true)}>
          Show all {count(lines.length)} lines
        </button>
      )}
      {endsDiffer && (
        <p class="quiet">{after.endsWith("\n") ? "Ends with a line break." : "No line break at the end."}</p>
      )}
    </ScrollBox>
  )
}
