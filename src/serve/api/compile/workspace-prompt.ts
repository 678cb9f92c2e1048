// Compiles the prompt that a message of the caller would get in a new conversation: the agent's own preview, which has
// no effects. A caller asks for their own trust or less.
import { z } from "zod"
import type { Inspected } from "../../../agent/turn/prompt/inspected.ts"
import { defined } from "../../../base/defined.ts"
import { atLeast } from "../../../base/trust.ts"
import { attach } from "../../../core/layout/tail.ts"
import { userMessage } from "../../../core/model/message.ts"
import { MODES } from "../../../core/model/mode.ts"
import { visible } from "../../../core/model/plan.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import { type Report, report } from "../../../core/read/report.ts"
import { renderAiSdk } from "../../../render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../../render/formats/anthropic.ts"
import { renderBedrock } from "../../../render/formats/bedrock.ts"
import { renderGoogle } from "../../../render/formats/google.ts"
import { renderChat } from "../../../render/formats/openai-chat.ts"
import { renderResponses } from "../../../render/formats/openai-responses.ts"
import type { Render } from "../../../render/formats/renderer.ts"
import { renderText } from "../../../render/formats/text.ts"
import type { Caller } from "../../auth/caller.ts"
import type { SurfaceCall } from "../../http/surface.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import { namedAgent } from "../named-agent.ts"
import { isOperator } from "../operator.ts"
import { badField } from "../read-input.ts"
import { FORMATS } from "./inline-schema.ts"

const MOST_TEXT = 100_000
const shortText = z.string().max(MOST_TEXT, `is longer than ${MOST_TEXT} characters`)

export const workspaceSchema = z.strictObject({
  agent: z.string().optional().describe("A further agent of the workspace. Default: the main one."),
  user: z.string().optional().describe("Another user of incipit.yaml; for operators."),
  situation: z.string().optional().describe("Default: the token's."),
  mode: z.enum(MODES).optional(),
  message: shortText.optional().describe("What the person says."),
  task: shortText.optional(),
  planMode: z.boolean().optional(),
  instructions: shortText.optional().describe("The client's own system message."),
  format: z
    .enum(FORMATS)
    .optional()
    .describe("Adds the request for the agent's model, as this API takes it."),
})

export type WorkspaceBody = z.infer<typeof workspaceSchema>

/** Stands for a message that is not known yet. */
export const ANY_MESSAGE = "Hello."

export async function workspacePrompt(body: WorkspaceBody, call: SurfaceCall): Promise<Prompt> {
  return (await inspectWorkspace(body, call)).prompt
}

/** With what it is made from, hidden files included: only what the audience may see goes to the caller. */
export async function inspectWorkspace(body: WorkspaceBody, call: SurfaceCall): Promise<Inspected> {
  const { caller, agents } = call
  const { agent, user, situation, message = ANY_MESSAGE, format: _rendered, ...rest } = body
  if (user !== undefined && user !== caller.user && !isOperator(caller))
    throw new SurfaceError(403, "other-user", "Only an operator can compile for another user.", "user")
  const from = defined({ as: user ?? caller.user, situation: situation ?? caller.situation })
  const found = await namedAgent(agents, agent).inspect(message, { ...defined(rest), ...from, isNew: true })
  checkAudience(found.prompt, body, caller)
  return found
}

function checkAudience({ plan }: Prompt, { user, situation }: WorkspaceBody, caller: Caller): void {
  const codes = plan.diagnostics.map(({ code }) => code)
  if (user !== undefined && codes.includes("unknown-user"))
    throw badField("user", `incipit.yaml has no user "${user}"`)
  if (situation !== undefined && codes.includes("unknown-situation"))
    throw badField("situation", `there is no situation "${situation}"`)
  if (atLeast(caller.trust, plan.audience.trust)) return
  throw new SurfaceError(
    403,
    "more-trust",
    `A prompt for ${plan.audience.trust} trust needs that trust, and this token has ${caller.trust}.`,
  )
}

/** What this caller may see of a prompt: an operator also what was withheld and why. */
export function reportFor(caller: Caller, prompt: Prompt): Report {
  return report(isOperator(caller) ? prompt : { ...prompt, plan: visible(prompt.plan) })
}

const RENDERERS: Readonly<Record<(typeof FORMATS)[number], Render<object>>> = {
  openai: renderResponses,
  openaiChat: renderChat,
  openaiCompatible: renderText,
  anthropic: renderAnthropic,
  google: renderGoogle,
  aiSdk: renderAiSdk,
  bedrock: renderBedrock,
}

/** The request of that prompt; null without a format. */
export function workspaceRequest(
  prompt: Prompt,
  { format, agent, message = ANY_MESSAGE }: WorkspaceBody,
  call: SurfaceCall,
) {
  if (format === undefined) return null
  const model = realModel(namedAgent(call.agents, agent).model.id)
  const rendered = RENDERERS[format](prompt, attach([userMessage(message)], prompt.tail), { model })
  return rendered.request
}

/** The offline model stands for the one in its name. */
export function realModel(id: string): string {
  return id.replace(/^offline\//, "")
}
