// The body of a compile with sections of the caller's own: typed sections in, a request for a provider out. Nothing of
// the workspace is read.
import { z } from "zod"
import { PACES } from "../../../base/pace.ts"
import { TRUSTS } from "../../../base/trust.ts"
import { MODES } from "../../../core/model/mode.ts"
import { ON_CHANGES, onChangesFor } from "../../../core/model/on-change.ts"
import { PRIORITIES } from "../../../core/model/priority.ts"
import { CUTS } from "../../../core/model/section.ts"
import { toolSchema } from "./tool-schema.ts"

const MOST_SECTIONS = 500
const MOST_TOOLS = 500
const MOST_RESULTS = 500
/** Blocks of one answer. */
const MOST_OUTPUT = 10_000

/** The APIs that a request can be written for. */
export const FORMATS = [
  "openai",
  "openaiChat",
  "openaiCompatible",
  "anthropic",
  "google",
  "aiSdk",
  "bedrock",
] as const

export const inlineSection = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z][\w/-]*$/, "must begin with a letter and have only letters, digits, -, _ and /")
      .describe("Unique in the prompt."),
    text: z.string().describe("An empty text leaves the section out."),
    pace: z
      .enum(PACES)
      .default("stable")
      .describe("How often the text changes. Slow text goes first, so that the provider's cache is of use."),
    priority: z.enum(PRIORITIES).optional().describe("Which text stays when there isn't enough room."),
    trust: z.enum(TRUSTS).optional().describe("Who may see the section at all."),
    cut: z.enum(CUTS).optional().describe("How the text is shortened if it doesn't fit."),
    onChange: z
      .enum(ON_CHANGES)
      .optional()
      .describe("What happens when the text changes after it was sent. Turn text: turn, step, always."),
    title: z.string().optional().describe("A heading for reports."),
    voice: z.literal("operator").optional().describe("The text has only your own words."),
  })
  .refine(({ pace, onChange }) => onChange === undefined || onChangesFor(pace).includes(onChange), {
    path: ["onChange"],
    message:
      "does not fit the pace: stable and session take append, wait, rebuild; turn takes turn, step, always",
  })

const tokens = z.int().min(1)

export const inlineSchema = z.strictObject({
  sections: z.array(inlineSection).min(1).max(MOST_SECTIONS),
  tools: z.array(toolSchema).max(MOST_TOOLS).optional(),
  audience: z
    .strictObject({
      trust: z.enum(TRUSTS).optional(),
      situation: z.string().optional(),
      mode: z.enum(MODES).optional(),
    })
    .optional()
    .describe("Who reads the answers. Without it: public, in a direct conversation."),
  budget: z
    .union([
      tokens,
      z.strictObject({
        window: tokens.exactOptional(),
        reserve: z.int().min(0).exactOptional(),
        total: tokens.exactOptional(),
        head: tokens.exactOptional(),
        tail: tokens.exactOptional(),
      }),
    ])
    .optional()
    .describe("The most tokens that all sections take together, or single limits."),
  ttl: z.string().optional().describe('How long the provider keeps the prefix: "5m" or "1h".'),
  target: z
    .strictObject({
      format: z.enum(FORMATS),
      model: z.string().min(1),
      maxTokens: tokens.optional(),
      cacheKey: z.string().optional().describe("For openai, openaiChat and aiSdk."),
    })
    .describe("Which API and model the request is for."),
  message: z.string().optional().describe("What the person says. Begins a turn."),
  chat: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("`chat` of the answer before, to go on with the same cached prefix."),
  output: z
    .union([z.array(z.unknown()).max(MOST_OUTPUT), z.record(z.string(), z.unknown())])
    .optional()
    .describe("What the model answered to the request before, as its API returned it."),
  results: z
    .array(z.strictObject({ id: z.string(), output: z.unknown(), isError: z.boolean().optional() }))
    .max(MOST_RESULTS)
    .optional()
    .describe("A result for each of the `calls` that were returned."),
})

export type InlineBody = z.infer<typeof inlineSchema>
