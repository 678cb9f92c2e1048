// The schema of `build --json`, which is a contract: schema/build.json is generated from it, and the command's output
// is checked against it.
import { z } from "zod"
import { LEVELS } from "../../../base/diagnostics/kind.ts"
import { PACES } from "../../../base/pace.ts"
import { TRUSTS } from "../../../base/trust.ts"
import { MODES } from "../../../core/model/mode.ts"
import { ENTRY_KINDS } from "../../../core/model/plan.ts"
import { PRIORITIES } from "../../../core/model/priority.ts"
import { CUTS } from "../../../core/model/section.ts"
import type { Report } from "../../../core/read/report.ts"

const tokens = z.int().min(0)
const digest = z.templateLiteral(["sha256:", z.string().regex(/^[0-9a-f]{64}$/)])
const trust = z.enum(TRUSTS)
const limit = z.strictObject({ limit: tokens, used: tokens })

export const outcomeSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("included") }),
  z.strictObject({
    kind: z.literal("truncated"),
    from: tokens,
    to: tokens,
    how: z.enum([...CUTS, "shorter"]),
  }),
  z.strictObject({ kind: z.literal("unchanged") }),
  z.strictObject({ kind: z.literal("ended") }),
  z.strictObject({ kind: z.literal("withheld"), needs: trust, has: trust }),
  z.strictObject({ kind: z.literal("dropped"), overBy: tokens }),
  z.strictObject({
    kind: z.literal("unused"),
    why: z
      .looseObject({ kind: z.string() })
      .describe("The reason: its kind, and what it is about, such as the files that were looked for."),
  }),
])

const origin = z.union([
  z.strictObject({ path: z.string(), lines: z.tuple([z.int().min(1), z.int().min(1)]), digest }),
  z.strictObject({ bundled: z.string() }),
  z.strictObject({ by: z.string() }),
])

const span = z.strictObject({
  block: z.int().min(0),
  start: z.int().min(0),
  end: z.int().min(0),
  from: origin.optional(),
})

export const sectionSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(ENTRY_KINDS),
  pace: z.enum(PACES),
  priority: z.enum(PRIORITIES),
  trust,
  tokens,
  outcome: outcomeSchema,
  spans: z.array(span),
  sent: digest.nullable(),
  current: digest.nullable(),
  by: z.array(z.string()),
})

export const diagnosticSchema = z.strictObject({
  code: z.string(),
  level: z.enum(LEVELS),
  message: z.string(),
  path: z.string().optional(),
  line: z.int().optional(),
})

export const reportSchema = z.strictObject({
  profile: z.string(),
  fingerprint: digest,
  prefix: digest,
  model: z.string().nullable(),
  trust,
  situation: z.string(),
  mode: z.enum(MODES),
  budget: z.strictObject({
    window: tokens,
    reserve: tokens,
    tools: tokens,
    head: limit,
    tail: limit,
    conversation: tokens,
    counter: z.string(),
    factor: z.number(),
    exact: z.boolean(),
  }),
  blocks: z.array(
    z.strictObject({
      placement: z.enum(["head", "tail"]),
      pace: z.enum(PACES),
      text: z.string(),
      tokens,
      digest,
      breakpoint: z.strictObject({ ttl: z.string() }).nullable(),
    }),
  ),
  sections: z.array(sectionSchema),
  tools: z.array(z.strictObject({ name: z.string(), tokens, digest, outcome: outcomeSchema })),
  withheld: z.array(z.strictObject({ path: z.string(), role: z.string(), why: z.string(), needs: trust })),
  diagnostics: z.array(diagnosticSchema),
})

/** A saved report, or `undefined` if the value is something else. */
export function parseReport(value: unknown): Report | undefined {
  const parsed = reportSchema.safeParse(value)
  // The schema is stricter than the interface, but optional fields keep the types from seeing that.
  return parsed.success ? (parsed.data as Report) : undefined
}
