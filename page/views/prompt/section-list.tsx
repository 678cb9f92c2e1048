// The list of what is in the prompt, with tokens, outcome and price, and of what is not, with the reason.
import { useLayoutEffect, useRef } from "preact/hooks"
import { isCompiled } from "../../data/calls.ts"
import type { BlockCache } from "../../parts/blocks.ts"
import { count, money } from "../../parts/figures.ts"
import type { ShownOutcome } from "../../parts/outcome.ts"
import { Sign } from "../../parts/sign.tsx"
import type { MissingRow, PromptList, PromptRow } from "./prompt-row.ts"

export interface SectionListProps {
  readonly list: PromptList
  readonly totalTokens: number
  readonly totalUsd: number | null
  /** The key of the chosen row; empty for the whole prompt. */
  readonly chosen: string | undefined
  /** What the search has found, by key. */
  readonly found: ReadonlySet<string>
  readonly onChoose: (key: string | null) => void
}

export function SectionList({ list, totalTokens, totalUsd, chosen, found, onChoose }: SectionListProps) {
  const row = (one: PromptRow) => (
    <Row
      key={one.key}
      row={one}
      isChosen={one.key === chosen}
      isFound={found.has(one.key)}
      onChoose={onChoose}
    />
  )
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => showChosen(box.current), [chosen, list])
  return (
    <section ref={box} class="sections" aria-label="Sections">
      <div class="sections-head">
        <h2>{isCompiled() ? "In the prompt" : "Sent"}</h2>
        <span class="quiet small">tokens</span>
      </div>
      <button
        type="button"
        class="row row-whole"
        aria-pressed={chosen === undefined}
        onClick={() => onChoose(null)}
      >
        <span class="row-title">Whole prompt</span>
        <span class="row-tokens">{count(totalTokens)}</span>
        <span class="row-about small">
          <span class="row-price">{totalUsd === null ? "" : money(totalUsd)}</span>
        </span>
      </button>
      {list.groups.map(({ title, rows }) => (
        <div key={title} class="sections-group">
          {list.groups.length > 1 && <h3 class="small quiet">{title}</h3>}
          <ul>
            {rows.map((one) => (
              <li key={one.key}>
                {row(one)}
                {one.children.length > 0 && <Inner row={one} chosen={chosen} render={row} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {list.missing.length > 0 && <Missing {...{ rows: list.missing, chosen, onChoose }} />}
    </section>
  )
}

/** Moves the list, and not the page, so that the chosen row is seen. */
function showChosen(box: HTMLElement | null): void {
  const row = box?.querySelector('[aria-pressed="true"]')
  if (box === null || !row) return
  const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()]
  if (inner.top < outer.top + HEAD_PX) box.scrollTop += inner.top - outer.top - HEAD_PX
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + HEAD_PX
}

/** The title stays above the rows. */
const HEAD_PX = 40

interface InnerProps {
  readonly row: PromptRow
  readonly chosen: string | undefined
  readonly render: (row: PromptRow) => preact.JSX.Element
}

/** The rows of a group, folded until one of them is chosen. */
function Inner({ row: { children, key, title }, chosen, render }: InnerProps) {
  const isOpen = chosen === key || children.some((child) => child.key === chosen)
  return (
    <details class="row-inner" open={isOpen}>
      <summary class="small">Each of the {title}</summary>
      <ul>
        {children.map((child) => (
          <li key={child.key}>{render(child)}</li>
        ))}
      </ul>
    </details>
  )
}

interface RowProps {
  readonly row: PromptRow
  readonly isChosen: boolean
  readonly isFound: boolean
  readonly onChoose: (key: string) => void
}

function Row({ row, isChosen, isFound, onChoose }: RowProps) {
  const { key, title, source, tokens, costUsd, outcome, pace } = row
  return (
    <button
      type="button"
      class="row"
      data-key={key}
      data-pace={pace ?? "none"}
      data-found={isFound ? "yes" : "no"}
      aria-pressed={isChosen}
      onClick={() => onChoose(key)}
    >
      <span class="row-title">
        <span class="cut">{title}</span>
        <span class="cut quiet small row-source">{source}</span>
      </span>
      <span class="row-tokens">{count(tokens)}</span>
      <span class="row-about small">
        <OutcomeWords outcome={outcome} />
        <CacheWord cache={row.cache} tokens={tokens} />
        <span class="row-price">{costUsd === null ? "" : money(costUsd)}</span>
      </span>
    </button>
  )
}

function OutcomeWords({ outcome: { sign, word, reason } }: { readonly outcome: ShownOutcome }) {
  return (
    <span class="row-outcome">
      <Sign name={sign} /> {word}
      {reason !== undefined && <span class="quiet">: {reason}</span>}
    </span>
  )
}

/** In a word, with the fill that the bar has. */
function CacheWord({ cache, tokens }: { readonly cache: BlockCache | null; readonly tokens: number }) {
  if (cache === null || tokens === 0) return null
  const name = (["read", "written", "uncached"] as const).reduce((most, one) =>
    cache[one] > cache[most] ? one : most,
  )
  return (
    <span class="row-cache quiet">
      <span class="cache-sign" data-cache={name} aria-hidden="true" />
      {name}
    </span>
  )
}

interface MissingProps {
  readonly rows: readonly MissingRow[]
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
}

function Missing({ rows, chosen, onChoose }: MissingProps) {
  const hasWithheld = rows.some(({ outcome: { sign } }) => sign === "withheld")
  return (
    <>
      <div class="sections-head">
        <h2>{isCompiled() ? "Left out" : "Not sent"}</h2>
        {hasWithheld && <span class="quiet small">only operators see what is withheld</span>}
      </div>
      <ul>
        {rows.map(({ key, title, outcome }) => (
          <li key={key}>
            <button
              type="button"
              class="row row-missing"
              data-key={key}
              aria-pressed={key === chosen}
              onClick={() => onChoose(key)}
            >
              <span class="row-title">
                <span class="cut">{title}</span>
              </span>
              <span class="row-about small">
                <OutcomeWords outcome={outcome} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
