// What the turns of a session cost, by turn. Only for those who may see costs: the server leaves them out for others.
import { useMemo } from "preact/hooks"
import type { CallPage, CallRow } from "../../../../src/serve/page/shown.ts"
import { ask } from "../../../data/ask.ts"
import { info } from "../../../data/info.ts"
import { changes } from "../../../data/live.ts"
import { useLoaded } from "../../../data/load.ts"

export interface TurnCost {
  /** The last call of the turn, whose prompt is the longest. */
  readonly call: string
  readonly calls: number
  readonly costUsd: number | null
  readonly tokens: number
  /** Of the input; undefined if there was none. */
  readonly cached: number | undefined
  readonly isSimulated: boolean
}

const MOST = 500

export function useTurnCosts(session: string | undefined): ReadonlyMap<string, TurnCost> {
  const caller = info.value?.caller
  const maySee =
    caller?.trust === "full" && caller.scopes.some((scope) => scope === "read" || scope === "operate")
  const { value } = useLoaded(
    maySee && session !== undefined ? `${session} ${changes.value}` : undefined,
    async (signal) => {
      const query = { source: "agent", session, limit: MOST }
      const { calls } = await ask<CallPage>("/api/calls", { signal, query })
      return { session, calls }
    },
  )
  return useMemo(
    () => (value === undefined || value.session !== session ? new Map() : costsByTurn(value.calls)),
    [value, session],
  )
}

function costsByTurn(calls: readonly CallRow[]): ReadonlyMap<string, TurnCost> {
  // A call that has no answer yet has no cost.
  const answered = calls.filter(({ usage }) => usage !== null)
  return new Map([...Map.groupBy(answered, ({ turn }) => turn)].map(([turn, own]) => [turn, costOf(own)]))
}

function costOf(calls: readonly CallRow[]): TurnCost {
  const sum = (of: (usage: NonNullable<CallRow["usage"]>) => number) =>
    calls.reduce((total, { usage }) => total + (usage === null ? 0 : of(usage)), 0)
  const input = sum(({ uncached, read, written }) => uncached + read + written)
  const costs = calls.map(({ costUsd }) => costUsd)
  return {
    call: calls.at(-1)?.id ?? "",
    calls: calls.length,
    costUsd: costs.reduce((total, one) => (total === null || one === null ? null : total + one), 0),
    tokens: input + sum(({ output }) => output),
    cached: input === 0 ? undefined : sum(({ read }) => read) / input,
    isSimulated: calls.some(({ isSimulated }) => isSimulated),
  }
}
