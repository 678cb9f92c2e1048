// Schemas that several routes share, by the names that code generators give their types.
import { z } from "zod"
import { explanationSchema } from "../compile/explanation-schema.ts"
import { inlineSection } from "../compile/inline-schema.ts"
import { diagnosticSchema, outcomeSchema, reportSchema, sectionSchema } from "../compile/report-schema.ts"
import { toolSchema } from "../compile/tool-schema.ts"
import { messageSchema } from "../sessions/shown-message.ts"

export type Json = Readonly<Record<string, unknown>>

const ANSWERED = {
  Report: reportSchema,
  ReportSection: sectionSchema,
  Outcome: outcomeSchema,
  Diagnostic: diagnosticSchema,
  Explanation: explanationSchema,
  Message: messageSchema,
}
const TAKEN = { Section: inlineSection, Tool: toolSchema }

export function jsonSchema(type: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _implied, ...schema } = z.toJSONSchema(type, { target: "draft-2020-12", io })
  return schema
}

/** By name. One that contains another refers to it. */
export function namedSchemas(): Json {
  const entries = [
    ...Object.entries(ANSWERED).map(([name, type]) => [name, jsonSchema(type, "output")] as const),
    ...Object.entries(TAKEN).map(([name, type]) => [name, jsonSchema(type, "input")] as const),
  ]
  const refer = referrer()
  // Only its parts: the whole would refer to itself.
  return Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, refer(value)])),
    ]),
  )
}

/** Replaces what equals a named schema by a reference to it. */
export function referrer(): (value: unknown) => unknown {
  const names = new Map<string, string>([
    ...Object.entries(ANSWERED).map(
      ([name, type]) => [JSON.stringify(jsonSchema(type, "output")), name] as const,
    ),
    ...Object.entries(TAKEN).map(
      ([name, type]) => [JSON.stringify(jsonSchema(type, "input")), name] as const,
    ),
  ])
  const refer = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(refer)
    const name = names.get(JSON.stringify(value))
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refer(item)]))
  }
  return refer
}
