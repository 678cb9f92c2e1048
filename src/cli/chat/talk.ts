// The state of a chat: who talks in which session, the last turn, and the figures of the status line.

import type { PlanFile } from "../../agent/feeds/plan-text.ts"
import type { RunningAgent } from "../../agent/setup/agent.ts"
import type { LiveEvent } from "../../agent/turn/live-event.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { costs } from "../../record/ask/cost.ts"
import { inputOf } from "../../render/cache/price.ts"
import { addUsage } from "../../render/cache/sdk-usage.ts"
import type { Figures } from "./screen/status-line.ts"
import type { ToolUse } from "./tool-line.ts"

export interface Talk {
  readonly from: Sender
  /** Undefined before the first message, unless a session is resumed. */
  readonly session: string | undefined
  /** The next message begins a new session. */
  readonly isNew: boolean
  readonly isPlanning: boolean
  /** The plan that was shown last: only that can be approved. */
  readonly shownPlan?: Pick<PlanFile, "name" | "text">
  /** The prompt of the last step, or the one that the next message would get. */
  readonly prompt: Prompt | undefined
  /** The running turn has finished no step yet, so the figures are of the turn before. */
  readonly isFresh: boolean
  /** Tools of the last turn. */
  readonly tools: readonly ToolUse[]
  readonly figures: Omit<Figures, "model" | "isPlanning">
}

export const NO_FIGURES: Talk["figures"] = {
  contextTokens: undefined,
  window: undefined,
  usage: undefined,
  costUsd: 0,
  unpriced: 0,
  isSimulated: false,
}

export function afterEvent(talk: Talk, event: LiveEvent): Talk {
  if (event.kind === "turn-started") {
    return { ...talk, session: event.session, isNew: false, isFresh: true, tools: [] }
  }
  if (event.kind === "step-finished") {
    const { usage, costUsd, isSimulated } = event.cost
    const { figures } = talk
    return {
      ...talk,
      isFresh: false,
      figures: {
        ...figures,
        contextTokens: inputOf(usage) + usage.output,
        usage: figures.usage === undefined || talk.isFresh ? usage : addUsage(figures.usage, usage),
        costUsd: figures.costUsd + (costUsd ?? 0),
        unpriced: figures.unpriced + (costUsd === null ? 1 : 0),
        isSimulated: figures.isSimulated || isSimulated,
      },
    }
  }
  if (event.kind !== "turn-finished") return talk
  return { ...talk, session: event.reply.session }
}

/** With the prompt that answered the last turn. */
export function answeredWith(talk: Talk, prompt: Prompt): Talk {
  return { ...talk, prompt, figures: { ...talk.figures, window: prompt.plan.budget.window } }
}

/** With a prompt that was not sent yet. */
export function withPrompt(talk: Talk, prompt: Prompt): Talk {
  const { window, tools, head, tail, conversation } = prompt.plan.budget
  const contextTokens = tools + head.used + tail.used + conversation
  return { ...talk, prompt, figures: { ...talk.figures, window, contextTokens } }
}

/** In another session, whose cost is not known yet. */
export function inSession(talk: Talk, session: string | undefined): Talk {
  return { ...talk, session, isNew: session === undefined, tools: [], figures: NO_FIGURES }
}

/** What a session cost, from the record. */
export interface Spent {
  readonly session: string
  readonly costUsd: number
  readonly unpriced: number
}

export async function spentIn(
  { session }: Talk,
  agent: RunningAgent,
  timeZone: string,
): Promise<Spent | undefined> {
  if (session === undefined) return undefined
  const { rows } = await agent.record.read((store) => costs(store, { by: "session", timeZone }))
  const row = rows.find(({ key }) => key === session)
  return { session, costUsd: row?.costUsd ?? 0, unpriced: row?.unpriced ?? 0 }
}

/** With the record's costs of the session, if they are higher: not every call is a step. */
export function withSpent(talk: Talk, spent: Spent | undefined): Talk {
  const { session, figures } = talk
  // Another session may have been entered while the record was read.
  if (spent === undefined || spent.session !== session) return talk
  const costUsd = Math.max(figures.costUsd, spent.costUsd)
  const unpriced = Math.max(figures.unpriced, spent.unpriced)
  return { ...talk, figures: { ...figures, costUsd, unpriced } }
}

export function statusFigures({ figures, isPlanning }: Talk, agent: RunningAgent): Figures {
  const isSimulated = figures.isSimulated || agent.model.isOffline
  return { ...figures, isPlanning, isSimulated, model: agent.model.id }
}
