// Asks for approval before an action: a no ends the call, and so does a yes that comes after the turn was stopped.
import { type ApprovalRequest, ToolFailure, type ToolHost } from "./host.ts"

/** `refused`: what the model gets after a no. */
export async function requireApproval(
  host: Pick<ToolHost, "approve" | "signal">,
  request: ApprovalRequest,
  refused: string,
): Promise<void> {
  if ((await host.approve(request)) === "no") throw new ToolFailure(refused)
  host.signal.throwIfAborted()
}
