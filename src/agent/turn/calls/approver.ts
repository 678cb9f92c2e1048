// Asks whether a tool may do what it is about to do, and remembers what was agreed to for good. How somebody is asked
// is for whoever opened the agent to say; what is asked about, for the tools.
import { type Approval, type ApprovalRequest, ToolFailure } from "../../../tools/host.ts"
import type { AgentOptions, Approve } from "../../setup/agent.ts"
import type { Runtime } from "../../setup/runtime.ts"

/** Kinds that can be agreed to once for all. What decides over the agent itself is none of them. */
const LASTING: readonly ApprovalRequest["kind"][] = ["shell", "edit", "mcp"]

/**
 * Without somebody to ask, nothing is allowed. "Always" holds for the kind of thing, in the session, and only where the
 * same one would be asked again: what was said for one message says nothing about the next.
 */
export function approver({ approve: usual }: Pick<AgentOptions, "approve">): Runtime["approve"] {
  const always = new WeakMap<Approve, Set<string>>()
  return async (session, request, signal, own): Promise<Approval> => {
    const approve = own ?? usual
    if (approve === undefined) return "no"
    // Of servers, one tool is not the other.
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

/** A yes that comes after the call was stopped allows nothing. */
async function beforeStop(ask: () => Promise<Approval>, signal: AbortSignal): Promise<Approval> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new ToolFailure("It was stopped before it was agreed to."))
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop, { once: true })
  try {
    return await Promise.race([stopped, signal.aborted ? stopped : ask()])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
