// What incipit.yaml may say about the prices and caches of models.
import { z } from "zod"
import { isPattern, isShortPattern } from "../read/short-pattern.ts"

const tokens = z.int().min(0)
const multiple = z.number().min(0)
const dollars = z.number().min(0)

export const cacheRuleSchema = z.object({
  models: z
    .string()
    .refine(isPattern, "is not a regular expression")
    .refine(
      isShortPattern,
      "could take too long to match; use at most three of * + {} and don't repeat groups",
    )
    .describe("a regular expression, matched against provider/model"),
  like: z.string().describe("the bundled rule it is based on, such as anthropic/claude"),
  minimum: tokens.optional().describe("the smallest prefix that is cached, in tokens"),
  breakpoints: tokens.optional().describe("how many breakpoints a request may have"),
  look_back: tokens.optional().describe("how many blocks a breakpoint looks back"),
  read: multiple.optional().describe("the price of a cached token, as a multiple of an uncached one"),
  ttls: z
    .array(z.object({ name: z.string(), seconds: z.number().positive(), write: multiple }))
    .min(1)
    .optional()
    .describe("TTLs with their write prices, the default first"),
  source: z.string().describe("where this is documented"),
  date: z.string().describe("when this was checked"),
})

export const priceSchema = z.object({
  model: z.string().describe("an exact id"),
  aliases: z.array(z.string()).optional().describe("other ids of the same model"),
  input: dollars,
  output: dollars,
  read: dollars.optional().describe("a token read from the cache"),
  write: z.record(z.string(), dollars).optional().describe("a token written to the cache, by TTL"),
  source: z.string().default("incipit.yaml").describe("where this is documented"),
  date: z.string().default("").describe("when this was checked"),
})
