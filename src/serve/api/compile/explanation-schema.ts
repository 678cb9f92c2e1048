// The schema of `explain --json`.
import { z } from "zod"
import { outcomeSchema, sectionSchema } from "./report-schema.ts"

const place = z.int().min(0)
const line = z.int().min(1)

export const explanationSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("section"), section: sectionSchema }),
  z.strictObject({ kind: z.literal("tool"), name: z.string(), tokens: place, outcome: outcomeSchema }),
  z.strictObject({
    kind: z.literal("file"),
    path: z.string(),
    asked: z.string().optional(),
    uses: z.array(z.strictObject({ section: z.string(), lines: z.tuple([line, line]), characters: place })),
    fate: z
      .looseObject({ kind: z.enum(["used", "withheld", "unused", "unread"]) })
      .describe("What became of the file, with the reason if it isn't used."),
  }),
  z.strictObject({
    kind: z.literal("text"),
    section: z.string(),
    block: place,
    offset: place,
    path: z.string().optional(),
    line: line.optional(),
  }),
])
