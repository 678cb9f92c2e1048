// The resources that the suite reads.
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { PNG } from "./contents.ts"

export function offerResources(server: McpServer): void {
  const plain = { mimeType: "text/plain" }
  const text = (uri: string, what: string) => ({ contents: [{ uri, text: what, ...plain }] })
  server.registerResource("static-text", "test://static-text", plain, ({ href }) =>
    text(href, "This is the content of the static text resource."),
  )
  server.registerResource("watched", "test://watched-resource", plain, ({ href }) =>
    text(href, "Nothing has happened yet."),
  )
  const image = { mimeType: "image/png" }
  server.registerResource("static-binary", "test://static-binary", image, ({ href }) => ({
    contents: [{ uri: href, blob: PNG, ...image }],
  }))
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined })
  const json = { mimeType: "application/json" }
  server.registerResource("template", template, json, ({ href }, { id }) => ({
    contents: [
      { uri: href, text: JSON.stringify({ id, templateTest: true, data: `Data of ${id}` }), ...json },
    ],
  }))
  // Only the protocols of 2025 have these.
  server.server.setRequestHandler("resources/subscribe", () => ({}))
  server.server.setRequestHandler("resources/unsubscribe", () => ({}))
}
