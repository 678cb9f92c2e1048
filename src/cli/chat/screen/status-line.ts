// The status line: the model, how full its window is, the cache's share of the last turn, and the cost of the session.

import { percent, thousands } from "../../../base/text/figures.ts"
import { dollars } from "../../../record/ask/log.ts"
import { inputOf, type Usage } from "../../../render/cache/price.ts"
import { cells, fitCell } from "../../views/widths.ts"

export interface Figures {
  readonly model: string
  readonly contextTokens: number | undefined
  readonly window: number | undefined
  /** Summed over the last turn. */
  readonly usage: Usage | undefined
  readonly costUsd: number
  /** Calls of the session with an unknown price. */
  readonly unpriced: number
  readonly isSimulated: boolean
  readonly isPlanning: boolean
}

/** The longest form that fits. */
export function statusLine(figures: Figures, columns: number): string {
  const short = { ...figures, model: shortModel(figures.model) }
  const forms = [longForm(figures), longForm(short), middleForm(short), shortForm(short, columns)]
  const fitting = forms.find((form) => cells(form) <= columns)
  return fitting ?? fitCell(forms.at(-1) ?? "", columns)
}

function longForm(figures: Figures): string {
  const { contextTokens, window, usage, isSimulated } = figures
  const share = shareText(figures)
  return joinParts([
    figures.isPlanning ? "plan mode" : undefined,
    figures.model,
    contextTokens === undefined || window === undefined
      ? undefined
      : `${thousands(contextTokens)} of ${thousands(window)} tokens${share === undefined ? "" : ` (${share})`}`,
    usage === undefined ? undefined : cacheText(usage, isSimulated),
    costText(figures),
  ])
}

function middleForm(figures: Figures): string {
  const { usage, isSimulated } = figures
  const share = shareText(figures)
  return joinParts([
    figures.isPlanning ? "plan" : undefined,
    figures.model,
    share === undefined ? undefined : `${share} full`,
    usage === undefined ? undefined : cacheText(usage, isSimulated),
    costText(figures),
  ])
}

/** The name gets the width that the figures leave. */
function shortForm(figures: Figures, columns: number): string {
  const { usage, isSimulated } = figures
  const rest = joinParts([
    shareText(figures),
    usage === undefined ? undefined : `cache ${hitText(usage)}${isSimulated ? " sim" : ""}`,
    costText(figures),
  ])
  const room = columns - cells(rest) - 3
  const name = figures.isPlanning ? `plan, ${figures.model}` : figures.model
  return room < 6 ? rest : joinParts([fitCell(name, Math.min(room, cells(name))), rest])
}

function joinParts(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" · ")
}

function shortModel(model: string): string {
  return model.split("/").at(-1) ?? model
}

function shareText({ contextTokens, window }: Figures): string | undefined {
  if (contextTokens === undefined || window === undefined || window === 0) return undefined
  return percent(contextTokens, window)
}

function hitText(usage: Usage): string {
  const all = inputOf(usage)
  return all === 0 ? "0%" : `${Math.floor((usage.read / all) * 100)}%`
}

function cacheText(usage: Usage, isSimulated: boolean): string {
  return `cache ${hitText(usage)}${isSimulated ? " simulated" : ""}`
}

/** What the offline model answered is free; a session may have calls of both. */
function costText({ costUsd, unpriced, isSimulated }: Figures): string {
  if (isSimulated && unpriced === 0 && costUsd === 0) return "free"
  if (unpriced === 0) return dollars(costUsd)
  return costUsd === 0 ? "cost unknown" : `${dollars(costUsd)} plus unknown`
}
