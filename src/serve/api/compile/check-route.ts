// What is wrong with a prompt and what it is made from: the JSON of `incipit check --json`.
import { z } from "zod"
import { checkConfig } from "../../../agent/check/check-config.ts"
import { checkPrompt } from "../../../agent/check/check-prompt.ts"
import { visible } from "../../../core/model/plan.ts"
import { reportDiagnostic } from "../../../core/read/report.ts"
import type { ApiCall } from "../api-call.ts"
import { namedAgent } from "../named-agent.ts"
import { isOperator } from "../operator.ts"
import { type Route, route } from "../route.ts"
import { isInline, isInlineValue, MOST_BYTES } from "./compile-body.ts"
import { compileInline } from "./inline-chat.ts"
import { inlineSchema } from "./inline-schema.ts"
import { diagnosticSchema } from "./report-schema.ts"
import { inspectWorkspace, type WorkspaceBody, workspaceSchema } from "./workspace-prompt.ts"

const checked = workspaceSchema.omit({ format: true })

export const CHECK_ROUTE: Route = route({
  ...{ method: "POST", path: "/api/check", scopes: ["read"], bodyBytes: MOST_BYTES },
  summary: "Say what is wrong with a prompt",
  description:
    "Takes what `/api/compile` takes. An operator gets everything about the workspace that `incipit check` looks at, except for approvals; others get what concerns their own prompt.",
  body: z.union([inlineSchema, checked]),
  bodyFor: (value) => (isInlineValue(value) ? inlineSchema : checked),
  answer: z.array(diagnosticSchema),
  async handle({ body }, call) {
    if (!isInline(body)) return (await found(body, call)).map(reportDiagnostic)
    return (compileInline(body).made?.prompt.plan.diagnostics ?? []).map(reportDiagnostic)
  },
})

async function found(body: WorkspaceBody, call: ApiCall) {
  const inspected = await inspectWorkspace(body, call)
  const { plan } = inspected.prompt
  if (!isOperator(call.caller)) return visible(plan).diagnostics
  const { tools } = namedAgent(call.agents, body.agent)
  return [...plan.diagnostics, ...checkConfig(inspected.workspace), ...checkPrompt(inspected, tools())]
}
