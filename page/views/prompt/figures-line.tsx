// The line of figures: what this call cost, how large it is, how much came from the cache, and what came since the last.
import type { CallDetail, CallRow } from "../../../src/serve/page/shown.ts"
import { cachedShare, callBefore, inputOf } from "../../parts/call-facts.ts"
import { change, count, money, percent } from "../../parts/figures.ts"
import { visibleName } from "../../parts/visible-text.ts"

export interface FiguresLineProps {
  readonly calls: readonly CallRow[]
  readonly at: number
  /** Of this call, once it is loaded. */
  readonly detail: CallDetail | undefined
}

export function FiguresLine({ calls, at, detail }: FiguresLineProps) {
  const call = calls[at]
  if (call === undefined) return null
  const { usage, costUsd, isSimulated, model, error } = call
  const share = cachedShare(usage)
  const before = callBefore(calls, at)
  const since = usage && before?.usage ? inputOf(usage) - inputOf(before.usage) : undefined
  const tokens = usage === null ? detail?.parts.reduce((sum, part) => sum + part.tokens, 0) : inputOf(usage)
  return (
    <dl class="figures">
      {usage !== null && (
        <Figure
          name={isSimulated ? "offline model, free" : "this call"}
          value={money(isSimulated ? 0 : costUsd)}
        />
      )}
      <Figure
        name={usage !== null ? "tokens" : `tokens, ${detail?.report?.budget.exact ? "counted" : "estimated"}`}
        value={tokens === undefined ? "…" : count(tokens)}
      />
      {share !== undefined && (
        <Figure name={isSimulated ? "from the cache, simulated" : "from the cache"} value={percent(share)} />
      )}
      {since !== undefined && <Figure name="since the last call" value={change(since)} />}
      {usage !== null && <Figure name="output" value={count(usage.output)} />}
      {(error ?? model) !== "" && (
        <Figure name={error === null ? "model" : "failed"} value={visibleName(error ?? model)} isText />
      )}
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly isText?: boolean
}

function Figure({ name, value, isText = false }: FigureProps) {
  return (
    <div class={isText ? "figures-text" : undefined}>
      <dt>{name}</dt>
      <dd title={isText ? value : undefined}>{value}</dd>
    </div>
  )
}
