// The list and the text of a call, side by side where there is room.
import { useMemo, useRef, useState } from "preact/hooks"
import type { CallDetail, CallRow, Carried } from "../../../src/serve/page/shown.ts"
import { info } from "../../data/info.ts"
import type { Loaded } from "../../data/load.ts"
import { summed } from "../../parts/blocks.ts"
import { count, money } from "../../parts/figures.ts"
import { showText } from "../../parts/show-text.ts"
import { visibleName } from "../../parts/visible-text.ts"
import { useKeys } from "../../shell/keys.ts"
import { go, place } from "../../shell/place.ts"
import { useTargets } from "../../shell/search.tsx"
import { Actions } from "./actions.tsx"
import { CarriedNote } from "./carried-note.tsx"
import { findIn, isWithin } from "./find.ts"
import { FindBar } from "./find-bar.tsx"
import { promptList } from "./owner-rows.ts"
import type { PromptList, PromptRow } from "./prompt-row.ts"
import { SectionFacts } from "./section-facts.tsx"
import { SectionList } from "./section-list.tsx"
import { piecesOf, rowsOf, type Selection, selectionOf } from "./selection.ts"
import { type FileLine, TextPane } from "./text-pane.tsx"

export interface CallPanesProps {
  readonly detail: CallDetail
  readonly calls: readonly CallRow[]
  readonly at: number
  readonly line: FileLine | undefined
  readonly carried: Loaded<Carried>
}

export function CallPanes({ detail, calls, at, line, carried }: CallPanesProps) {
  const { section, block } = place.value
  const list = useMemo(() => promptList(detail), [detail])
  const selection = useMemo(
    () => selectionOf(list, detail, { section, block }),
    [list, detail, section, block],
  )
  const pieces = useMemo(() => piecesOf(selection, detail), [selection, detail])
  const reading = useRef<HTMLElement>(null)
  const choose = (key: string | null) => {
    go({ section: key, block: null, line: null })
    showText(reading.current)
  }
  const find = useFind(detail, {
    pieces,
    showAll: () => go({ section: null, block: null }, { replace: true }),
  })
  const field = useRef<HTMLInputElement>(null)
  useListKeys(list, section, choose)
  useKeys([{ key: "f", does: "find in this prompt", run: () => field.current?.focus() }])
  useTargets(targetsOf(list))
  const total = summed(detail.parts)
  const found = useMemo(() => keysWith(list, find.found), [list, find.found])
  return (
    <div class="panes">
      <SectionList
        {...{ list, found }}
        totalTokens={total.tokens}
        totalUsd={detail.call.isSimulated ? null : total.costUsd}
        chosen={section ?? (block === undefined ? undefined : "")}
        onChoose={choose}
      />
      <section ref={reading} class="reading" aria-label="Text">
        <Heading selection={selection} />
        <FindBar
          {...{ field, words: find.words, found: find.found.length, at: find.at }}
          onWords={find.setWords}
          onStep={find.step}
        />
        {pieces.length > 0 ? (
          <TextPane
            label={`Text of ${titleOf(selection)}`}
            {...{ pieces, line, parts: detail.parts, found: find.found, here: find.here }}
            onLine={(next) => go({ line: next && `${next.path}:${next.line}` }, { replace: true })}
          />
        ) : (
          <NoText selection={selection} />
        )}
        {line !== undefined && (
          <CarriedNote {...{ line, carried, calls }} onClose={() => go({ line: null })} />
        )}
        <SectionFacts
          {...{ selection, detail, calls, at }}
          isOperator={info.value?.caller.isOperator ?? false}
        />
        <Actions {...{ selection, detail, pieces, line }} />
      </section>
    </div>
  )
}

function titleOf(selection: Selection): string {
  if (selection.kind === "whole") return "the whole prompt"
  if (selection.kind === "block") return visibleName(selection.block.label)
  return selection.kind === "absent" ? visibleName(selection.name) : selection.row.title
}

function Heading({ selection }: { readonly selection: Selection }) {
  const row =
    selection.kind === "row" ? selection.row : selection.kind === "block" ? selection.block : undefined
  const source = selection.kind === "row" ? selection.row.source : ""
  return (
    <div class="reading-head">
      <h2 class="cut">{selection.kind === "whole" ? "Whole prompt" : titleOf(selection)}</h2>
      {source !== "" && <span class="quiet cut">{source}</span>}
      {row !== undefined && (
        <span class="figure quiet">
          {count(row.tokens)} tokens
          {row.costUsd === null || row.costUsd === 0 ? "" : ` · ${money(row.costUsd)}`}
        </span>
      )}
    </div>
  )
}

function NoText({ selection }: { readonly selection: Selection }) {
  if (selection.kind === "missing") {
    const { word, reason } = selection.row.outcome
    return (
      <p class="no-text">
        Not in this prompt: {word}
        {reason === undefined ? "." : `. ${asSentence(reason)}`}
      </p>
    )
  }
  if (selection.kind === "absent")
    return <p class="no-text">This call has nothing with this name. Choose something from the list.</p>
  return <p class="no-text">There is no text.</p>
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`
}

function useListKeys(
  list: PromptList,
  section: string | undefined,
  choose: (key: string | null) => void,
): void {
  const step = (by: 1 | -1) => {
    const keys = [
      null,
      ...list.groups.flatMap(({ rows }) => rows.map(({ key }) => key)),
      ...list.missing.map(({ key }) => key),
    ]
    const from = keys.indexOf(section ?? null)
    const next = keys[Math.min(keys.length - 1, Math.max(0, from + by))]
    if (next !== undefined) choose(next)
  }
  useKeys([
    { key: "j", does: "next section", run: () => step(1) },
    { key: "k", does: "previous section", run: () => step(-1) },
  ])
}

function targetsOf(list: PromptList) {
  return rowsOf(list).map(({ key, title, source }) => ({
    ...{ kind: "section", title, words: source },
    to: { view: "prompt", section: key, block: null, line: null },
  }))
}

interface FindOptions {
  readonly pieces: ReturnType<typeof piecesOf>
  readonly showAll: () => void
}

/** Words are found in the whole prompt; what is chosen stays, as long as the place that is shown is in it. */
function useFind(detail: CallDetail, { pieces, showAll }: FindOptions) {
  const [words, setWords] = useState("")
  const [at, setAt] = useState(0)
  const found = useMemo(() => findIn(detail.parts, words), [detail, words])
  const show = (index: number, all = found) => {
    const place = all[index]
    setAt(index)
    if (place !== undefined && !isWithin(place, pieces)) showAll()
  }
  return {
    words,
    found,
    at: Math.min(at, Math.max(0, found.length - 1)),
    here: found[Math.min(at, found.length - 1)],
    setWords(next: string) {
      setWords(next)
      const all = findIn(detail.parts, next)
      const within = all.findIndex((place) => isWithin(place, pieces))
      show(Math.max(0, within), all)
    },
    step(by: 1 | -1) {
      if (found.length > 0) show((at + by + found.length) % found.length)
    },
  }
}

/** The rows that something was found in. */
function keysWith(list: PromptList, found: ReturnType<typeof findIn>): ReadonlySet<string> {
  const has = ({ stretches }: PromptRow) => found.some((place) => isWithin(place, stretches))
  return new Set(found.length === 0 ? [] : rowsOf(list).flatMap((row) => (has(row) ? [row.key] : [])))
}
