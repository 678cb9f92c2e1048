// Asks whether a tool may do what it is about to do, unless a rule decides it, and remembers "always". The host decides
// how to ask, the tools what to ask about.
import { type Approval, type ApprovalRequest, ToolFailure } from "../../../tools/host.ts"
import type { AgentOptions, Approve } from "../../setup/agent.ts"
import type { ApprovalQuestion, Approvals } from "../../setup/services.ts"
import { isCoveredByYes, type Rules, type Ruling, rulingOn } from "./approval-rules.ts"

/** Kinds that "always" applies to. Changes to the agent itself are not among them. */
const LASTING: readonly ApprovalRequest["kind"][] = ["shell", "edit", "mcp", "tool"]

/**
 * Without `approve`, nothing is allowed but what a rule allows. "Always" covers one kind of request in one session, and
 * only where the same `approve` would be asked again: an answer given for one message says nothing about the next.
 */
export function approver(
  { approve: usual }: Pick<AgentOptions, "approve">,
  rules: () => Rules,
): Pick<Approvals, "ask" | "canAsk"> {
  const always = new WeakMap<Approve, Set<string>>()
  return {
    canAsk: ({ approve = usual, request }) =>
      approve !== undefined || rulingOn(request, rules())?.decision === "allow",
    async ask(question) {
      const { request, asker, approve = usual, ruled } = question
      const ruling = rulingOn(request, rules())
      if (ruling !== undefined) ruled(ruling)
      if (ruling?.decision === "deny") throw denied(ruling)
      if (ruling?.decision === "allow") return "yes"
      if (approve === undefined) return "no"
      const kind = `${asker.session} ${request.kind} ${toolOf(request)}`
      const mayCover = ruling === undefined && isCoveredByYes(request, rules())
      if (mayCover && always.get(approve)?.has(kind)) return "yes"
      const said = await asked(
        ruling ? { ...question, request: { ...request, rule: ruling.rule } } : question,
        approve,
      )
      if (said !== "always") return said
      // For what a rule asks about, and for leaving the sandbox, it counts as a single yes.
      if (ruling !== undefined || (request.kind === "shell" && request.leaves !== undefined)) return "yes"
      // Looked up again: calls that run at the same time may have been answered first.
      const agreed = always.get(approve) ?? new Set()
      if (LASTING.includes(request.kind)) always.set(approve, agreed.add(kind))
      return "yes"
    },
  }
}

/** The rule is a setting of the operator. */
function denied({ rule }: Ruling): ToolFailure {
  return new ToolFailure("Not run: it is denied here.", { detail: `The rule is "${rule}" in approve.deny.` })
}

/** "Always" for one tool does not cover the others. */
function toolOf(request: ApprovalRequest): string {
  if (request.kind === "mcp") return JSON.stringify([request.server, request.tool])
  return request.kind === "tool" ? request.name : ""
}

async function asked(
  { request, asker, call, tell, whileAsked }: ApprovalQuestion,
  approve: Approve,
): Promise<Approval> {
  const { id, signal } = asker
  let answer: Approval | "stopped" = "stopped"
  tell({ kind: "approval-requested", id, call, request })
  try {
    answer = await whileAsked(async () => checked(await beforeStop(() => approve(request, asker), signal)))
    return answer
  } finally {
    tell({ kind: "approval-finished", id, answer })
  }
}

/** Programs need not be type-checked, and `false` must not count as a yes. */
function checked(answer: Approval): Approval {
  if (answer === "yes" || answer === "always" || answer === "no") return answer
  throw new ToolFailure(
    `Not run: the program's approve returned ${String(answer)}; it must return "yes", "always" or "no".`,
  )
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
