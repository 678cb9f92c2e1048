// What a person may see of a turn as it happens. With full trust that is everything. Others get their answer and what
// is needed to show it, but nothing about how it came about: no prompt, costs, models, inputs, results, diagnostics or
// provider messages.
import { defined } from "../../base/defined.ts"
import type { Trust } from "../../base/trust.ts"
import type { StepCost } from "../../database/contract/reply.ts"
import type { LiveEvent, PartEvent, Reply } from "./live-event.ts"
import { WHY_IT_WAITS } from "./provider/failure-words.ts"

/** Costs and tokens are only for the operator. */
const HIDDEN_COST: StepCost = {
  usage: { uncached: 0, read: 0, write: {}, output: 0 },
  costUsd: null,
  isSimulated: false,
}

type Kind = LiveEvent["kind"]
type ForPerson = { readonly [K in Kind]: (event: Extract<LiveEvent, { kind: K }>) => LiveEvent | undefined }

const same = <E extends LiveEvent>(event: E): E => event
const nothing = (): undefined => undefined

/** A new kind of event does not compile until it is decided on here. */
const FOR_PEOPLE: ForPerson = {
  "turn-started": same,
  "message-joined": same,
  text: same,
  "step-discarded": same,
  notice: same,
  "plan-suggested": same,
  "plan-saved": same,
  // Shows that a tool runs, but not its input.
  "tool-started": ({ kind, call, name }) => ({ kind, call, name, input: undefined }),
  "tool-finished": ({ kind, call, name, isError, durationMs }) => ({
    ...{ kind, call, name, isError, durationMs },
    text: "",
  }),
  "tool-progress": nothing,
  // Shows that somebody is asked, but not about what.
  "approval-requested": (event) => ({ ...event, request: undefined }),
  "approval-finished": same,
  delegated: (event) => {
    const part = partFor(event.event)
    return part && { ...event, agent: undefined, event: part }
  },
  retrying: (event) => ({ ...event, why: WHY_IT_WAITS }),
  queued: (event) => ({ ...event, why: WHY_IT_WAITS }),
  "turn-finished": ({ kind, reply }) => ({ kind, reply: replyFor("public", reply) }),
  "step-started": nothing,
  reasoning: nothing,
  "step-finished": nothing,
  "epoch-started": nothing,
  "section-updated": nothing,
  "cache-missed": nothing,
  compacted: nothing,
  diagnostic: nothing,
}

/** A part works for the agent: people see that it works, and not what it says. */
function partFor(event: PartEvent): PartEvent | undefined {
  switch (event.kind) {
    case "turn-started":
      return event
    case "tool-started":
      return { ...event, input: undefined }
    case "tool-finished":
      return { ...event, text: "" }
    case "turn-finished":
      return { ...event, reply: { ...replyFor("public", event.reply), text: "" } }
    default:
      return undefined
  }
}

/** The event as this trust may see it; undefined if it may not. */
export function eventFor(trust: Trust, event: LiveEvent): LiveEvent | undefined {
  if (trust === "full") return event
  // Each function takes the events of its own key.
  const forPerson = FOR_PEOPLE[event.kind] as (event: LiveEvent) => LiveEvent | undefined
  return forPerson(event)
}

/** Copies only the fields of an answer, whatever else the value carries. */
export function replyFor(trust: Trust, reply: Reply): Reply {
  const { state, text, turn, session, steps, cost, durationMs, calls, isOverLimit } = reply
  const own = { state, text, turn, session, steps, durationMs, ...defined({ calls, isOverLimit }) }
  return { ...own, cost: trust === "full" ? cost : HIDDEN_COST }
}
