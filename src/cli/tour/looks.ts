// Looks behind an answer: queries the plan, the memory and the record, and passes the results to the views.
import { termsOf } from "../../agent/models/terms.ts"
import type { Reply } from "../../agent/turn/live-event.ts"
import { byCodePoint } from "../../base/order.ts"
import { isTrust, TRUSTS } from "../../base/trust.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { whyMiss } from "../../record/ask/why-miss.ts"
import { simulatedModel } from "../../record/prices/offline-calls.ts"
import { openWorkspace } from "../../sources/workspace.ts"
import { painter } from "../views/colour.ts"
import type { Tour, TurnResult } from "./running-tour.ts"
import type { Look } from "./steps.ts"
import {
  type AudiencePlan,
  audiencesView,
  indented,
  memoryView,
  type TurnFigures,
  waitingChangesView,
} from "./views.ts"

export async function turnFigures(
  { agent, terminal, place }: Tour,
  { steps, cost }: Reply,
  { plan }: Prompt,
): Promise<TurnFigures> {
  const { config } = openWorkspace(place.folder)
  const { price, rule } = await termsOf(simulatedModel(agent.model.id), config, terminal.now())
  return {
    ...{ plan, price, rule, calls: steps, usage: cost.usage },
    costUsd: agent.model.isOffline ? undefined : cost.costUsd,
  }
}

/** What each look shows; empty if there is nothing to see. */
export const LOOKS: Readonly<
  Record<Look, (tour: Tour, result: TurnResult | undefined) => Promise<readonly string[]>>
> = { "prices-of-memory": memoryPrices, audiences, "waiting-changes": waitingChanges, why }

async function memoryPrices(tour: Tour, result: TurnResult | undefined): Promise<readonly string[]> {
  const { agent, terminal } = tour
  const query = result?.tools.map(({ name, input }) =>
    name === "memory_search" ? queryOf(input) : undefined,
  )
  const asked = query?.find((text) => text !== undefined)
  if (asked === undefined) return []
  const { memory } = agent
  const found = TRUSTS.map((trust) => ({ trust, hits: memory.search(asked, { trust }).hits }))
  const own = result?.figures.plan.audience.trust ?? "public"
  const hits = found.find(({ trust }) => trust === own)?.hits ?? []
  const others = found.map(({ trust, hits: all }) => ({ trust, count: all.length }))
  return titled(tour, "What the search found", memoryView(hits, others, terminal))
}

function queryOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("query" in input)) return undefined
  return typeof input.query === "string" ? input.query : undefined
}

/** The user, a configured person who may see less, and an unknown one. */
async function audiences(tour: Tour): Promise<readonly string[]> {
  const { agent, place, terminal } = tour
  const { users = {} } = openWorkspace(place.folder).config
  const [lesser] = Object.entries(users)
    .flatMap(([id, { trust }]) =>
      isTrust(trust) && trust !== "full" ? [{ id, rank: TRUSTS.indexOf(trust) }] : [],
    )
    .toSorted((a, b) => a.rank - b.rank || byCodePoint(a.id, b.id))
  const rows: readonly (readonly [string, Sender])[] = [
    ["you", {}],
    ...(lesser === undefined ? [] : [[lesser.id, { as: lesser.id, situation: "group" }] as const]),
    ["stranger", { channel: "web:unknown", situation: "group" }],
  ]
  const plans = await Promise.all(
    rows.map(
      async ([who, from]): Promise<AudiencePlan> => ({ who, plan: (await agent.preview("", from)).plan }),
    ),
  )
  return ["", ...audiencesView(plans, terminal)]
}

async function waitingChanges(tour: Tour, result: TurnResult | undefined): Promise<readonly string[]> {
  return result === undefined
    ? []
    : titled(tour, "Waiting changes", waitingChangesView(result.figures.plan, tour.terminal))
}

async function why(tour: Tour, result: TurnResult | undefined): Promise<readonly string[]> {
  if (result === undefined) return []
  const { record } = tour.agent
  await record.flush()
  const miss = await record.read((store) => whyMiss(store, result.turn))
  return miss === undefined
    ? []
    : titled(tour, "Why the cache hit or missed", indented(miss.sentence, tour.terminal))
}

export function titled({ terminal }: Tour, title: string, lines: readonly string[]): readonly string[] {
  return ["", painter(terminal)("bold", title), ...lines]
}
