// Questions to the record: what went wrong, what happened to a message, what calls cost.
import { saidBy, troubleOf } from "./answer.ts"
import { ask, type Call, type Script, say } from "./script.ts"
import { newestTurn, tellTrouble } from "./trouble.ts"
import type { Called, OfflineView } from "./view.ts"

const TIMES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:last night|tonight|this morning)\b/i, "12h"],
  [/\btoday\b/i, "today"],
  [/\byesterday\b/i, "yesterday"],
  [/\bweek\b/i, "7d"],
  [/\bmonth\b/i, "30d"],
]

function sinceIn(request: string): string | undefined {
  return TIMES.find(([pattern]) => pattern.test(request))?.[1]
}

export function askTrouble(request: string, { tools }: OfflineView): Script {
  const since = sinceIn(request) ?? "12h"
  return {
    steps: [
      () => [{ tool: "incipit_logs", input: { level: "error", since } }],
      ([logs]) => (tools.has("incipit_trace") ? traceCalls(newestTurn(logs)) : []),
    ],
    answer: (done) => tellTrouble(done, since),
  }
}

const MOST_TRACE_LINES = 20

/** Without a turn's name it means the last completed turn, not the running one. */
export function askTrace(turn: string, { tools }: OfflineView): Script {
  const answer = (done: readonly Called[]) => {
    const called = done.at(-1)
    return called === undefined ? "The tool returned nothing." : saidBy(called, MOST_TRACE_LINES)
  }
  if (turn !== "") return ask(traceCalls(turn), answer)
  if (!tools.has("incipit_logs")) return say("I cannot tell which turn was the last.")
  const logs = { tool: "incipit_logs", input: { event_type: "turn_completed", limit: 1 } }
  return { steps: [() => [logs], ([found]) => traceCalls(newestTurn(found))], answer }
}

function traceCalls(turn: string | undefined): readonly Call[] {
  return turn === undefined ? [] : [{ tool: "incipit_trace", input: { turn } }]
}

export function askCost(request: string): Script {
  const [, by] = /\bby (day|session|user|model|turn|section|file)\b/i.exec(request) ?? []
  const since = sinceIn(request)
  const input = { ...(by && { by: by.toLowerCase() }), ...(since && { since }) }
  return ask([{ tool: "incipit_cost", input }], ([called]) =>
    called ? tellCost(called) : "The tool returned nothing.",
  )
}

function tellCost(called: Called): string {
  const total = called.result?.lines.find((line) => line.startsWith("total "))
  const [, calls, cost] = /^total calls=(\d+) .*\bcost=(\S+)$/.exec(total ?? "") ?? []
  if (troubleOf(called) !== undefined || cost === undefined) return saidBy(called)
  return `${calls} calls cost ${cost}. ${saidBy(called)}`
}
