// Calls of tools and their results in a conversation belong together: providers refuse one without the other.
import { invalid } from "../surface-error.ts"
import type { Said } from "./talk-request.ts"

/** Throws for a call without a result and for a result without its call. */
export function checkCalls(said: readonly Said[], param: string): void {
  for (const [at, { role, calls, results }] of said.entries()) {
    const other = said[role === "assistant" ? at + 1 : at - 1]
    const open = calls.find(({ id }) => !other?.results.some((result) => result.id === id))
    if (open !== undefined)
      throw invalid(param, `the call "${open.id}" in ${param} must be followed by its result`)
    // A conversation that goes on from an earlier answer begins with the results.
    if (other === undefined && said.length === 1) continue
    const unknown = results.find(({ id }) => !other?.calls.some((call) => call.id === id))
    if (unknown !== undefined)
      throw invalid(param, `the result "${unknown.id}" in ${param} must follow the message with its call`)
  }
}
