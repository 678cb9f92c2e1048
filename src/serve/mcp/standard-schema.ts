// A JSON Schema as the MCP package takes schemas: it is listed as it is, and what comes is checked against it.
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"
import { z } from "zod"
import { oncePerObject } from "../../base/memo/once.ts"

type JsonSchema = Readonly<Record<string, unknown>>

/** Servers are made for every request, and their schemas are always the same. */
export const standardSchema = oncePerObject((schema: JsonSchema): StandardSchemaWithJSON => {
  const json = () => ({ ...schema })
  return {
    "~standard": { ...z.fromJSONSchema(schema)["~standard"], jsonSchema: { input: json, output: json } },
  }
})
