// Whether a session's turn text is sent as late system messages: if the model's rule says it takes them and its
// provider has not refused one. Rules come from documents and clients, and a proxy may support less than the service,
// so a refusal costs one request and not the session.
import type { TailForm } from "../../../core/layout/tail.ts"
import type { SessionState } from "../../../database/contract/sessions.ts"
import type { CacheRule } from "../../../render/cache/cache-rule.ts"
import { takesLateSystem } from "../../../render/formats/late-system.ts"
import type { ModelFacts } from "../../models/model.ts"
import type { ModelFailure } from "../provider/call.ts"
import type { Work } from "../work.ts"

/** The model's rule as adjusted for this session. */
export function ruleIn({ refusedLate }: SessionState, { id, rule }: ModelFacts): CacheRule {
  return refusedLate === id ? withoutLate(rule) : rule
}

export function tailFormIn(state: SessionState, model: ModelFacts): TailForm {
  return takesLateSystem(ruleIn(state, model)) ? "system" : "message"
}

/** For calls that keep nothing and must not fail because of the form. */
export function withoutLate(rule: CacheRule): CacheRule {
  return { ...rule, lateSystem: "refused" }
}

const ABOUT_ROLES = /\brole\b.*\b(?:system|developer|assistant)\b|\b(?:system|developer) message/is

/** Whether the step can be sent again with its turn text in the user's message. Reports and remembers the refusal. */
export function isLateRefused(work: Work, failure: ModelFailure, model: ModelFacts): boolean {
  const isAboutRoles = failure.kind === "refused" && ABOUT_ROLES.test(failure.message)
  if (!isAboutRoles || !takesLateSystem(ruleIn(work.state, model))) return false
  work.state = { ...work.state, refusedLate: model.id }
  const text = `${model.id} refused a system message within the conversation, so turn context is sent in the user's messages from now on`
  work.scope.event("diagnostic", { data: { code: "late-system-refused", text } })
  work.tell({ kind: "diagnostic", level: "warning", text })
  return true
}
