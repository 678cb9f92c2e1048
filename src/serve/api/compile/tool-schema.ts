// A tool of a caller: what the model is told about it. The caller runs it.
import { z } from "zod"
import { TRUSTS } from "../../../base/trust.ts"

export const toolSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string().default(""),
  parameters: z
    .record(z.string(), z.unknown())
    .default({ type: "object", properties: {} })
    .describe("JSON Schema of the arguments."),
  trust: z.enum(TRUSTS).exactOptional(),
})
