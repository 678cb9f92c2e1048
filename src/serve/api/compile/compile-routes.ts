// The compiler over HTTP: for the workspace, or with `sections` in the body for any program in any language.
import { z } from "zod"
import { explain } from "../../../core/read/explain.ts"
import type { Report } from "../../../core/read/report.ts"
import { report } from "../../../core/read/report.ts"
import type { SurfaceCall } from "../../http/surface.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import { type Route, route } from "../route.ts"
import { CHECK_ROUTE } from "./check-route.ts"
import { isInline, isInlineValue, MOST_BYTES } from "./compile-body.ts"
import { explanationSchema } from "./explanation-schema.ts"
import { compileInline } from "./inline-chat.ts"
import { type InlineBody, inlineSchema } from "./inline-schema.ts"
import { PRICE_ROUTE } from "./price-route.ts"
import { reportSchema } from "./report-schema.ts"
import {
  reportFor,
  type WorkspaceBody,
  workspacePrompt,
  workspaceRequest,
  workspaceSchema,
} from "./workspace-prompt.ts"

const compileAnswer = z.strictObject({
  report: reportSchema
    .nullable()
    .describe("The JSON of `incipit build --json`; null after an `output` that nothing follows yet."),
  request: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      "What to send to the provider; null without a format, or after an `output` that nothing follows yet.",
    ),
  calls: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        input: z.unknown(),
        problem: z.string().optional(),
      }),
    )
    .optional()
    .describe("The tools that the model wants to be run."),
  chat: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Keep it, and send it back with the next call. It holds the conversation."),
})

const compile = route({
  ...{ method: "POST", path: "/api/compile", scopes: ["read"], bodyBytes: MOST_BYTES },
  summary: "Compile a prompt, and the request for a provider",
  description:
    "With `sections`, compiles those: no file is read, and any trust can be asked for. Without, compiles the prompt that a message of the caller would get in a new conversation.",
  body: z.union([inlineSchema, workspaceSchema]),
  bodyFor: (value) => (isInlineValue(value) ? inlineSchema : workspaceSchema),
  answer: compileAnswer,
  async handle({ body }, call) {
    if (isInline(body)) {
      const { made, calls, chat } = compileInline(body)
      return { report: made ? report(made.prompt) : null, request: made?.request ?? null, calls, chat }
    }
    const prompt = await workspacePrompt(body, call)
    return { report: reportFor(call.caller, prompt), request: workspaceRequest(prompt, body, call) }
  },
})

const what = z.string().min(1).max(10_000).describe("A section, a tool, a file, or a piece of text.")
const explainInline = inlineSchema.extend({ what })
const explainWorkspace = workspaceSchema.omit({ format: true }).extend({ what })

const explainRoute = route({
  ...{ method: "POST", path: "/api/explain", scopes: ["read"], bodyBytes: MOST_BYTES },
  summary: "Say why something is in a prompt, or why not",
  description: "Takes what `/api/compile` takes, and `what`. Answers the JSON of `incipit explain --json`.",
  body: z.union([explainInline, explainWorkspace]),
  bodyFor: (value) => (isInlineValue(value) ? explainInline : explainWorkspace),
  answer: z.array(explanationSchema),
  async handle({ body: { what: query, ...body } }, call) {
    const found = explain(await reportOf(body, call), query, [])
    if (found.length > 0) return found
    throw new SurfaceError(
      404,
      "not-in-prompt",
      "That isn't a section, a tool, a file or a piece of text in this prompt.",
      "what",
    )
  },
})

export const COMPILE_ROUTES: readonly Route[] = [compile, explainRoute, CHECK_ROUTE, PRICE_ROUTE]

/** Throws for an output that nothing follows: there is no prompt yet. */
async function reportOf(body: InlineBody | WorkspaceBody, call: SurfaceCall): Promise<Report> {
  if (!isInline(body)) return reportFor(call.caller, await workspacePrompt(body, call))
  const { made } = compileInline(body)
  if (made !== undefined) return report(made.prompt)
  throw new SurfaceError(
    400,
    "bad-input",
    "Nothing follows the output yet: send a message, or the results of its calls.",
    "output",
  )
}
