// A part of the work that a turn delegates; it reports back. Its cost is added to the turn's, and its events are in the
// turn's trace and reach the turn's listeners.
import { defined } from "../../../base/defined.ts"
import { ToolFailure, type ToolHost } from "../../../tools/host.ts"
import type { AgentActions, Delegation } from "../../setup/services.ts"
import type { LiveEvent } from "../live-event.ts"
import { addCost, senderOf, type Work } from "../work.ts"

type Wanted = Parameters<ToolHost["delegate"]>[0]

/** How a part runs, and the id of the call that delegated it. */
type How = Pick<Delegation, "signal" | "planMode" | "outer"> & { readonly call: string }

/** Returns the report. Throws `ToolFailure` if there is none. */
export async function delegated(
  actions: Pick<AgentActions, "delegate">,
  work: Work,
  wanted: Wanted,
  { call, ...how }: How,
): Promise<string> {
  const { waiting, scope, approve, parts } = work
  const { trace = work.turn.id } = scope.origin
  const from = senderOf(waiting.message)
  const { via = waiting.message.under?.via } = waiting.message
  const hear = passOn(work, { call, agent: wanted.agent })
  const part = actions
    .delegate(wanted, {
      ...how,
      from,
      approve,
      hear,
      under: { trace, ...defined({ span: scope.span, via }) },
    })
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

/** The asker waits for this turn, so a question of the part is a question of the turn. */
function passOn(
  { tell }: Pick<Work, "tell">,
  { call, agent }: { readonly call: string; readonly agent: string | undefined },
): (event: LiveEvent) => void {
  let turn = ""
  return (event) => {
    if (event.kind === "turn-started") turn = event.turn
    // What a part delegates further has its own agent and turn.
    const isOwn =
      event.kind === "delegated" || event.kind === "approval-requested" || event.kind === "approval-finished"
    tell(isOwn ? event : { kind: "delegated", call, agent, turn, event })
  }
}
