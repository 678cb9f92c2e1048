// Whether the sums agree with what Claude Code itself keeps in its transcripts: rows named `cost-state`, of which the last
// one of a session counts.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { CalledUsage } from "../../../src/capture/call.ts"
import { priceFor } from "../../../src/record/prices/prices.ts"
import { costOf, type Usage } from "../../../src/render/cache/price.ts"
import type { Check } from "../check.ts"
import type { Session } from "../run-client.ts"

interface CostState {
  readonly totalCostUSD: number
  readonly modelUsage: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Returns none if the client keeps no such rows. */
export function checkCostState({ client, place }: Session, usages: readonly CalledUsage[]): readonly Check[] {
  const states = globSync(join(place.home, ".claude/projects/*/*.jsonl")).flatMap(
    (path) => lastState(path) ?? [],
  )
  if (states.length === 0) return []
  const kept = (field: string) =>
    states
      .flatMap(({ modelUsage }) => Object.values(modelUsage))
      .reduce((sum, row) => sum + (row[field] ?? 0), 0)
  const own = (pick: (usage: Usage) => number) => usages.reduce((sum, { usage }) => sum + pick(usage), 0)
  const written = ({ write }: Usage) => Object.values(write).reduce((sum, tokens) => sum + tokens, 0)
  const pairs = [
    [own(({ uncached }) => uncached), kept("inputTokens")],
    [own(({ read }) => read), kept("cacheReadInputTokens")],
    [own(written), kept("cacheCreationInputTokens")],
    [own(({ output }) => output), kept("outputTokens")],
  ] as const
  const usd = usages.reduce(
    (sum, { usage, model, at }) => sum + (costOf(usage, priceFor(model, { at })) ?? 0),
    0,
  )
  const said = states.reduce((sum, { totalCostUSD }) => sum + totalCostUSD, 0)
  return [
    {
      name: "usage",
      client: client.name,
      from: "files",
      what: "sums equal to cost-state",
      holds: pairs.every(([ours, theirs]) => ours === theirs),
      result: `${pairs.map(([ours, theirs]) => (ours === theirs ? ours : `${ours}, not ${theirs}`)).join(" + ")} tokens; $${usd.toFixed(4)}, client says $${said.toFixed(4)}`,
    },
  ]
}

function lastState(path: string): CostState | undefined {
  const rows = readFileSync(path, "utf8").split("\n").slice(0, -1)
  const last = rows.findLast((row) => row.startsWith('{"type":"cost-state"'))
  return last === undefined ? undefined : JSON.parse(last)
}
