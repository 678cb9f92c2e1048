// Two texts, line by line: what was removed and added, with a few lines around it.
import { count } from "../figures.ts"
import { ScrollBox } from "../scroll-box.tsx"
import { useShowMore } from "../show-more.tsx"
import { visibleName } from "../visible-text.ts"
import type { DiffRow } from "./line-rows.ts"
import "./text-diff.css"

/** More is shown when it is asked for. */
const AT_FIRST = 400

export function TextDiff({ rows }: { readonly rows: readonly DiffRow[] }) {
  const { shown, more } = useShowMore(rows, AT_FIRST, ["line"])
  if (rows.length === 0) return <p class="quiet">The text is the same.</p>
  return (
    <>
      <ScrollBox class="text-diff" label="Changed lines">
        <table>
          <tbody>
            {shown.map((row) => (
              <Row key={`${row.kind} ${row.was ?? ""} ${row.is ?? ""}`} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {more}
    </>
  )
}

const SIGNS = { same: "", added: "+", removed: "−", gap: "" } as const
const WORDS = { same: "", added: "added: ", removed: "removed: ", gap: "" } as const

function Row({ row: { kind, text, was, is } }: { readonly row: DiffRow }) {
  if (kind === "gap")
    return (
      <tr class="text-diff-gap">
        <td colSpan={4}>{count(was ?? 0)} lines are the same</td>
      </tr>
    )
  return (
    <tr class={`text-diff-${kind}`}>
      <td class="text-diff-number">{was}</td>
      <td class="text-diff-number">{is}</td>
      <td class="text-diff-sign" aria-hidden="true">
        {SIGNS[kind]}
      </td>
      <td class="text-diff-text">
        {WORDS[kind] !== "" && <span class="spoken">{WORDS[kind]}</span>}
        {text === "" ? " " : visibleLine(text)}
      </td>
    </tr>
  )
}

/** Tabs are white space that is meant to be there. */
export function visibleLine(text: string): string {
  return text.split("\t").map(visibleName).join("\t")
}
