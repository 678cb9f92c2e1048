// The tools that the suite calls and that answer at once.
import { fromJsonSchema, type McpServer, type ServerContext } from "@modelcontextprotocol/server"
import { failureOf } from "../../../../src/serve/mcp/result.ts"
import { standardSchema } from "../../../../src/serve/mcp/standard-schema.ts"
import { PNG, said, textContent, WAV } from "./contents.ts"

/** What a tool of the suite changes, so that whoever listens is told. */
export interface Changes {
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
}

export function offerTools(server: McpServer, changes: Changes): void {
  const image = { type: "image" as const, data: PNG, mimeType: "image/png" }
  const offer = (name: string, run: (context: ServerContext) => Answer | Promise<Answer>) =>
    server.registerTool(name, { description: DESCRIPTION, inputSchema: NOTHING }, async (_input, context) =>
      run(context),
    )
  offer("test_simple_text", () => said("This is a simple text response for testing."))
  offer("test_image_content", () => ({ content: [image] }))
  offer("test_audio_content", () => ({
    content: [{ type: "audio" as const, data: WAV, mimeType: "audio/wav" }],
  }))
  offer("test_embedded_resource", () => ({
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }))
  offer("test_multiple_content_types", () => ({
    content: [
      textContent("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }))
  offer("test_error_handling", () => failureOf("This tool intentionally returns an error for testing."))
  offer("test_tool_with_logging", logged)
  offer("test_logging_tool", logged)
  offer("test_tool_with_progress", async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        })
    return said("It is done.")
  })
  offer("test_trigger_tool_change", () => {
    changes.toolsChanged()
    return said("The list of tools has changed.")
  })
  offer("test_trigger_prompt_change", () => {
    changes.promptsChanged()
    return said("The list of prompts has changed.")
  })
  offerWithSchemas(server)
}

type Answer = ReturnType<typeof failureOf>

/** The suite wants each tool to have one. */
export const DESCRIPTION = "A tool of the conformance suite."

const NOTHING = standardSchema({ type: "object", properties: {} })

async function logged({ mcpReq }: ServerContext): Promise<Answer> {
  for (const text of ["Tool execution started", "Tool processing data", "Tool execution completed"])
    await mcpReq.log("info", text)
  return said("The log has three lines.")
}

function resource(uri: string, mimeType: string, text: string) {
  return { type: "resource" as const, resource: { uri, mimeType, text } }
}

function offerWithSchemas(server: McpServer): void {
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(ADDRESSED) },
    async () => said("It was valid."),
  )
  server.registerTool(
    "test_custom_header",
    { description: DESCRIPTION, inputSchema: standardSchema(WITH_HEADER) },
    async () => said("The header was right."),
  )
}

const STRING = { type: "string" }

const ADDRESSED = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: { $anchor: "addressDef", type: "object", properties: { street: STRING, city: STRING } },
  },
  properties: {
    name: STRING,
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: STRING,
    email: STRING,
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
}

const WITH_HEADER = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
  required: ["region"],
}
