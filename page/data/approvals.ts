// Questions for approval that wait for an answer, of all sessions: for operators, wherever they are on the page.
import { computed, effect, signal } from "@preact/signals"
import type { ApprovalRequest } from "../../src/tools/host.ts"
import { ask, Refusal } from "./ask.ts"
import { info } from "./info.ts"
import { gaps, listen } from "./live.ts"

export interface Approval {
  readonly id: string
  readonly agent: string
  readonly session: string
  /** Who caused it. */
  readonly from: string
  readonly request: ApprovalRequest
  readonly at: string
  readonly expiresAt: string
}

export type ApprovalAnswer = "yes" | "always" | "no"

/** Oldest first. */
export const approvals = signal<readonly Approval[]>([])

/** Whether this caller may approve. */
export const mayApprove = computed(() => info.value?.mode === "serve" && info.value.caller.isOperator)

let reading: Promise<void> = Promise.resolve()

/** One after the other, so that an older list never replaces a newer one. A failure is no news: the next event reads again. */
export function readApprovals(): Promise<void> {
  reading = reading
    .then(() => ask<{ readonly approvals: readonly Approval[] }>("/api/approvals"))
    .then(
      ({ approvals: found }) => {
        approvals.value = found
      },
      () => undefined,
    )
  return reading
}

/** False if it was answered elsewhere, or has expired. */
export async function answerApproval(id: string, answer: ApprovalAnswer): Promise<boolean> {
  try {
    await ask<unknown>(`/api/approvals/${encodeURIComponent(id)}`, { body: { answer } })
    approvals.value = approvals.value.filter((one) => one.id !== id)
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error
    await readApprovals()
    return false
  }
}

/** Other processes that share the database ask, too, and their events are not heard here. */
const LOOK_EVERY_MS = 15_000

export function followApprovals(): () => void {
  const stops = [
    listen(({ event: { kind } }) => {
      if (kind === "approval-requested" || kind === "approval-finished") void readApprovals()
    }),
    effect(() => {
      // After a gap as well as at the beginning.
      if (gaps.value >= 0) void readApprovals()
    }),
  ]
  const timer = setInterval(() => void (document.hidden || readApprovals()), LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}
