// Approval of a whole call, for custom tools that ask for it. Built-in tools and servers ask themselves, because what
// they ask about is more than their input.
import type { RunnableTool } from "../../../tools/define-tool.ts"
import { type ApprovalRequest, ToolFailure, type ToolHost } from "../../../tools/host.ts"
import { requireApproval } from "../../../tools/require-approval.ts"

export interface CallToApprove {
  readonly tool: Pick<RunnableTool, "name" | "approve">
  readonly input: unknown
  /** Whether the call can be approved at all. */
  readonly canAsk: (request: ApprovalRequest) => boolean
}

/** Throws `ToolFailure` if the call may not run. */
export async function approveCall(
  host: Pick<ToolHost, "approve" | "signal">,
  { tool, input, canAsk }: CallToApprove,
): Promise<void> {
  const { name, approve = false } = tool
  // Only an explicit false needs no approval: a program need not be type-checked.
  const needs = typeof approve === "function" ? approve(input) : approve
  if (needs === false) return
  const request = { kind: "tool", name, input: input ?? {} } as const
  if (!canAsk(request))
    throw new ToolFailure(`${name} was not run: it needs approval, and nobody can be asked here.`)
  await requireApproval(host, request, `The call of ${name} was not approved.`)
}
