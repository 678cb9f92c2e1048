// The schemas of costs and simulations, for the OpenAPI document; held against shown.ts by the compiler.
import { z } from "zod"
import { COST_GROUPS } from "../../../capture/bill/bill.ts"
import { COSTS_BY, type ShownCosts, type Simulated } from "../shown.ts"
import { ownerSchema, usageSchema } from "../shown-schema.ts"

const costUsd = z.number().nullable()
const newest = z
  .strictObject({ session: z.string(), call: z.string() })
  .nullable()
  .describe("The newest call of it, if one was looked for and found.")

const sums = {
  calls: z.number().int().nullable().describe("Null if it is not known how many."),
  usage: usageSchema,
  costUsd,
  unpriced: z.int().describe("Calls without a known price: they are in no sum of dollars."),
}

export const costsSchema = z.strictObject({
  by: z.enum(COSTS_BY),
  ways: z.array(z.enum(COSTS_BY)).describe("What this source can be summed by."),
  rows: z.array(
    z.strictObject({
      ...{ key: z.string(), title: z.string(), ...sums },
      who: z.string().nullable().describe("Whose session it is; for operators."),
      newest,
    }),
  ),
  owners: z.array(
    z.strictObject({
      key: z.string(),
      title: z.string(),
      group: z.enum(COST_GROUPS),
      owner: ownerSchema,
      tokens: z.number().describe("Of its text, once."),
      carriedTokens: z.number().describe("In all calls together."),
      calls: z.int(),
      carriedUsd: costUsd.describe("To write it, and every time it was sent again."),
      others: z.int().describe("For what stands for many small owners: how many."),
      newest,
    }),
  ),
  total: z.strictObject(sums),
  notes: z.array(z.string()).describe("What the figures leave out or stand for."),
  isOpen: z.boolean().describe("False for a reader who may not see costs."),
}) satisfies z.ZodType<ShownCosts>

export const simulatedSchema = z.strictObject({
  session: z.string(),
  calls: z.int().describe("How many calls were simulated."),
  ways: z
    .array(
      z.strictObject({
        kind: z.enum(["sent", "ttl", "layout", "provider"]),
        title: z.string(),
        model: z.string(),
        hitRatio: z.number().describe("The share of all input that was read from the cache."),
        usage: usageSchema,
        costUsd,
        rule: z.strictObject({ id: z.string(), source: z.string(), date: z.string() }),
      }),
    )
    .describe("The first is how they were sent. Empty if nothing can be simulated."),
  recordedUsd: costUsd.describe("What these calls cost by the provider's own figures."),
  why: z.string().nullable().describe("Why nothing can be simulated."),
  notes: z.array(z.string()).describe("What was left out."),
}) satisfies z.ZodType<Simulated>
