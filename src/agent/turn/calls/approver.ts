// Asks whether a tool may do what it is about to do, and remembers "always". The host decides how to ask, the tools
// what to ask about.
import { type Approval, type ApprovalRequest, ToolFailure } from "../../../tools/host.ts"
import type { AgentOptions, Approve } from "../../setup/agent.ts"
import type { Approvals } from "../../setup/services.ts"

/** Kinds that "always" applies to. Changes to the agent itself are not among them. */
const LASTING: readonly ApprovalRequest["kind"][] = ["shell", "edit", "mcp"]

/**
 * Without `approve`, nothing is allowed. "Always" covers one kind of request in one session, and only where the same
 * `approve` would be asked again: an answer given for one message says nothing about the next.
 */
export function approver({ approve: usual }: Pick<AgentOptions, "approve">): Approvals["ask"] {
  const always = new WeakMap<Approve, Set<string>>()
  return async ({ session, request, signal, approve = usual }): Promise<Approval> => {
    if (approve === undefined) return "no"
    // "Always" for one tool of a server does not cover its other tools.
    const which = request.kind === "mcp" ? JSON.stringify([request.server, request.tool]) : ""
    const kind = `${session} ${request.kind} ${which}`
    const agreed = always.get(approve) ?? new Set()
    if (agreed.has(kind)) return "yes"
    const said = await beforeStop(() => approve(request, signal, session), signal)
    if (said !== "always") return said
    if (LASTING.includes(request.kind)) always.set(approve, agreed.add(kind))
    return "yes"
  }
}

/** A yes that arrives after the call was stopped allows nothing. */
async function beforeStop(ask: () => Promise<Approval>, signal: AbortSignal): Promise<Approval> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new ToolFailure("It was stopped before it was approved."))
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop, { once: true })
  try {
    return await Promise.race([stopped, signal.aborted ? stopped : ask()])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
