// What the cache missed at this call: the cause, the changed text and its price. At calls without a miss it has the sum of
// all of them, in the same room, so that nothing jumps while one moves through the calls.
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { explanation, lossOf, missSum, missWords } from "../call-facts.ts"
import { count } from "../figures.ts"
import { Sign } from "../sign.tsx"
import { visibleName } from "../visible-text.ts"

export function MissNote({ calls, at }: { readonly calls: readonly CallRow[]; readonly at: number }) {
  const call = calls[at]
  const miss = call?.miss
  const sentence = miss ? visibleName(explanation(miss)) : undefined
  return (
    <div class="miss-note" data-miss={miss ? "yes" : "no"}>
      {miss ? (
        <>
          <p class="miss-head" title={sentence}>
            <Sign name="warning" />
            <strong class="cut">
              <span class="miss-word">Cache miss: </span>
              {missWords(calls, at)}
            </strong>
            <span class="figure">
              {lossOf(miss)}
              {miss.costUsd !== null && miss.costUsd > 0 && ` · ${count(miss.tokens)} tokens again`}
            </span>
          </p>
          {miss.before === null && miss.after === null ? (
            <p class="small miss-text">{sentence}</p>
          ) : (
            <p class="small mono miss-change">
              {miss.before !== null && <del>{visibleName(miss.before)}</del>}
              {miss.after !== null && <ins>{visibleName(miss.after)}</ins>}
            </p>
          )}
        </>
      ) : (
        <p class="quiet">No cache miss at this call. The session has {missSum(calls)}</p>
      )}
    </div>
  )
}
