// Suspends a turn until its sender has run the tools that the model called. Nothing holds the session meanwhile, and any
// process may continue the turn.
import type { ClientCall } from "../../database/contract/client-tools.ts"
import type { Services } from "../setup/services.ts"
import type { AskedCall } from "./calls/client-call.ts"
import { messageText, replyOf, turnFacts } from "./finish.ts"
import type { SentReply } from "./live-event.ts"
import { stateChange, type Work } from "./work.ts"

export type SuspendServices = Pick<Services, "store" | "clock" | "events"> & {
  readonly limits: Pick<Services["limits"], "clientMs">
}

/** The calls are stored before anybody hears about them. */
export async function suspendTurn(
  { store, clock, events, limits }: SuspendServices,
  work: Work,
  asked: readonly AskedCall[],
): Promise<SentReply> {
  const { turn, lease, items } = work
  const last = items.at(-1)?.item
  const text = last?.kind === "message" ? messageText(last.message) : ""
  const calls: readonly ClientCall[] = asked.map(({ call }) => call)
  await store.waits.suspend(lease, {
    turn: turn.id,
    state: stateChange(work),
    on: asked.map(({ wait, call }) => ({
      ...{ id: wait, kind: "client-tools", request: JSON.stringify(call) },
      expiresInMs: limits.clientMs,
    })),
  })
  const { prompt, ...reply } = { ...replyOf(work, { state: "waiting", text, now: clock.now() }), calls }
  work.outer.event("turn_completed", turnFacts(work, reply))
  await events.record.flushIfFree()
  work.tell({ kind: "turn-finished", reply })
  return { ...reply, prompt }
}
