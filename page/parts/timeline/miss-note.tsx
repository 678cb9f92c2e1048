// What the cache missed at this call: the cause, the changed text and its price. At calls without a miss it has the sum of
// all of them, in the same room, so that nothing jumps while one moves through the calls.
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { lossOf, missWords } from "../call-facts.ts"
import { count, counted, money } from "../figures.ts"
import { Sign } from "../sign.tsx"
import { visibleName } from "../visible-text.ts"

export function MissNote({ calls, at }: { readonly calls: readonly CallRow[]; readonly at: number }) {
  const call = calls[at]
  const miss = call?.miss
  // The call is the one at the playhead, so its id says nothing more.
  const sentence = miss ? visibleName(miss.sentence.replaceAll(`call ${call?.id}`, "this call")) : undefined
  return (
    <div class="miss-note" data-miss={miss ? "yes" : "no"}>
      {miss ? (
        <>
          <p class="miss-head" title={sentence}>
            <Sign name="warning" />
            <strong class="cut">Cache miss: {missWords(calls, at)}</strong>
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
        <p class="quiet">{restText(calls)}</p>
      )}
    </div>
  )
}

/** At the other calls: what all misses of the session cost. */
function restText(calls: readonly CallRow[]): string {
  const misses = calls.flatMap(({ miss }) => miss ?? [])
  const tokens = misses.reduce((sum, miss) => sum + miss.tokens, 0)
  const isPriced =
    misses.every(({ costUsd }) => costUsd !== null) && !calls.some(({ isSimulated }) => isSimulated)
  const usd = misses.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  const noun = counted(misses.length, "cache miss", "cache misses")
  const price = isPriced ? `, ${money(usd)}` : ""
  return `No cache miss at this call. The session has ${noun}: ${count(tokens)} tokens written again${price}.`
}
