// Calls of tools and their results in a conversation belong together: providers refuse one without the other.
import { invalid, tooMany } from "../surface-error.ts"
import type { Said } from "./talk-request.ts"

/** In one message. Models make a few at a time. */
const MOST_CALLS = 1_000

/** Throws for a call without a result, for a result without its call, and for a second result of a call. */
export function checkCalls(said: readonly Said[], param: string): void {
  for (const [at, { role, calls, results }] of said.entries()) {
    const other = said[role === "assistant" ? at + 1 : at - 1]
    const count = calls.length + results.length
    if (count > MOST_CALLS)
      throw tooMany(`a message in ${param} has ${count} calls or results; at most ${MOST_CALLS} are read`)
    const [answered, called] = [idsOf(other?.results), idsOf(other?.calls)]
    const open = calls.find(({ id }) => !answered.has(id))
    if (open !== undefined)
      throw invalid(param, `the call "${open.id}" in ${param} must be followed by its result`)
    if (idsOf(results).size < results.length)
      throw invalid(param, `a message in ${param} has two results for the same call`)
    // A conversation that goes on from an earlier answer begins with the results.
    if (other === undefined && said.length === 1) continue
    const unknown = results.find(({ id }) => !called.has(id))
    if (unknown !== undefined)
      throw invalid(param, `the result "${unknown.id}" in ${param} must follow the message with its call`)
  }
}

function idsOf(list: readonly { readonly id: string }[] = []): ReadonlySet<string> {
  return new Set(list.map(({ id }) => id))
}
