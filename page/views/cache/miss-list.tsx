// Every miss of a session, the most expensive first: why, where, what was there before and after, and what it cost.
import type { CallRow, ShownMiss } from "../../../src/serve/page/shown.ts"
import { explanation, missSum, missWords } from "../../parts/call-facts.ts"
import { count, moment, money } from "../../parts/figures.ts"
import { visibleLine } from "../../parts/lines/text-diff.tsx"
import { ScrollBox } from "../../parts/scroll-box.tsx"
import { useShowMore } from "../../parts/show-more.tsx"
import { Sign } from "../../parts/sign.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { linkTo } from "../../shell/place.ts"

export interface MissListProps {
  readonly calls: readonly CallRow[]
  readonly at: number
  readonly onMove: (at: number) => void
}

interface Missed {
  readonly call: CallRow
  readonly miss: ShownMiss
  readonly at: number
}

/** More is shown when it is asked for. */
const AT_FIRST = 20
const MISSES = ["miss", "misses"] as const

export function MissList({ calls, at, onMove }: MissListProps) {
  const missed = calls
    .flatMap((call, index): readonly Missed[] =>
      call.miss === null ? [] : [{ call, miss: call.miss, at: index }],
    )
    .sort(mostExpensiveFirst)
  const { shown, more } = useShowMore(missed, AT_FIRST, MISSES)
  return (
    <section aria-labelledby="cache-misses-title">
      <h2 id="cache-misses-title">Cache misses</h2>
      {missed.length === 0 ? (
        <p class="quiet">No call paid again for what an earlier one had left in the cache.</p>
      ) : (
        <>
          <p class="quiet">{missSum(calls)}</p>
          <ol class="cache-misses">
            {shown.map((one) => (
              <Row
                key={one.call.id}
                missed={one}
                title={missWords(calls, one.at)}
                isHere={one.at === at}
                onMove={onMove}
              />
            ))}
          </ol>
          {more}
        </>
      )}
    </section>
  )
}

function mostExpensiveFirst(one: Missed, other: Missed): number {
  return (
    (other.miss.costUsd ?? 0) - (one.miss.costUsd ?? 0) ||
    other.miss.tokens - one.miss.tokens ||
    one.at - other.at
  )
}

function visibleLines(text: string): string {
  return text.split("\n").map(visibleLine).join("\n")
}

interface RowProps {
  readonly missed: Missed
  readonly title: string
  readonly isHere: boolean
  readonly onMove: (at: number) => void
}

function Row({ missed: { call, miss, at }, title, isHere, onMove }: RowProps) {
  // With the place in the title and both texts, the sentence would say all of it again.
  const hasText = miss.before !== null || miss.after !== null
  return (
    <li class="cache-miss" aria-current={isHere ? "true" : undefined}>
      <div class="cache-miss-head">
        <Sign name="warning" />
        <strong class="cache-miss-title">{visibleName(title)}</strong>
        <span class="figure cache-miss-price">
          {call.isSimulated || miss.costUsd === null || miss.costUsd === 0 ? (
            ""
          ) : (
            <strong class="loss">{money(miss.costUsd)}</strong>
          )}{" "}
          <span class="quiet">{count(miss.tokens)} tokens</span>
        </span>
      </div>
      {(!hasText || miss.path === null) && <p>{visibleName(explanation(miss))}</p>}
      {hasText && (
        <ScrollBox class="cache-change mono small" label="The changed text">
          {miss.before !== null && (
            <p class="cache-before">
              <span aria-hidden="true">−</span>
              <span class="spoken">before: </span>
              <del>{visibleLines(miss.before)}</del>
            </p>
          )}
          {miss.after !== null && (
            <p class="cache-after">
              <span aria-hidden="true">+</span>
              <span class="spoken">after: </span>
              <ins>{visibleLines(miss.after)}</ins>
            </p>
          )}
        </ScrollBox>
      )}
      <div class="cache-miss-foot small">
        <button type="button" class="plain small" onClick={() => onMove(at)}>
          Show call {count(at + 1)}
        </button>
        <a href={linkTo({ view: "prompt", session: call.session, call: call.id })}>Its prompt</a>
        <span class="quiet">{moment(call.at)}</span>
      </div>
    </li>
  )
}
