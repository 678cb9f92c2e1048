// A part of the work that a turn delegates; it reports back. Its cost is added to the turn's, and its events are in the
// turn's trace.
import { defined } from "../../../base/defined.ts"
import { ToolFailure, type ToolHost } from "../../../tools/host.ts"
import type { AgentActions, Delegation } from "../../setup/services.ts"
import type { LiveEvent } from "../live-event.ts"
import { addCost, senderOf, type Work } from "../work.ts"

/** Returns the report. Throws `ToolFailure` if there is none. */
export async function delegated(
  actions: Pick<AgentActions, "delegate">,
  work: Work,
  wanted: Parameters<ToolHost["delegate"]>[0],
  how: Pick<Delegation, "signal" | "planMode" | "outer">,
): Promise<string> {
  const { waiting, scope, approve, parts } = work
  const { trace = work.turn.id } = scope.origin
  const from = senderOf(waiting.message)
  // The asker waits for this turn, so a question of the part is a question of the turn.
  const hear = (event: LiveEvent) => {
    if (event.kind === "approval-requested" || event.kind === "approval-finished") work.tell(event)
  }
  const part = actions
    .delegate(wanted, { ...how, from, approve, hear, under: { trace, ...defined({ span: scope.span }) } })
    .then((reply) => {
      work.cost = addCost(work.cost, reply.cost)
      return reply
    })
    .finally(() => parts.delete(part))
  parts.add(part)
  const { state, text } = await part
  if (state !== "answered" && state !== "silent") throw new ToolFailure(text)
  return text === "" ? "It had nothing to report." : text
}
