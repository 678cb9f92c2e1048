// Images that tools return: the model gets them beside the result, and a model that takes none gets a line.
import { expect, test } from "vitest"
import { resultText } from "../../../../src/agent/mcp/result.ts"
import { wireMessages } from "../../../../src/agent/models/wire-messages.ts"
import type { MessageFile } from "../../../../src/database/contract/message-file.ts"
import { o200k } from "../../../../src/tokens/o200k.ts"
import { call, open, say, server, tool, transcript, workspace } from "../../world/agent-world.ts"

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const image: MessageFile = { mediaType: "image/png", data: PIXEL }

test("an image of a tool is sent after the results of its step, with the later calls too", async () => {
  const root = workspace()
  const taken: unknown[] = []
  const look = tool("look", async (_input, { attach }) => {
    const files = [image, { mediaType: "image/svg+xml", data: PIXEL }, { ...image, data: "no base64" }]
    taken.push(...files.map((file) => attach?.(file)))
    return "A picture."
  })
  const from = await server([call(["look", {}], ["list", { path: "." }]), say("A pixel."), say("Yes.")])
  const { agent } = await open(root, from, { tools: [look] })
  const { session } = await agent.send("Look.")
  await agent.send("Sure?")
  expect([taken, from.refusals]).toEqual([[true, false, false], []])
  for (const sent of from.sent.slice(1)) {
    const { messages } = JSON.parse(sent) as { messages: { content: Record<string, unknown>[] }[] }
    const results = messages.find(({ content }) => content.some(({ type }) => type === "tool_result"))
    const blocks = (results?.content ?? []).filter(({ text }) => !String(text).startsWith("<turn-"))
    expect(blocks.map(({ type }) => type)).toEqual(["tool_result", "tool_result", "image"])
    expect(blocks[2]?.source).toEqual({ type: "base64", media_type: "image/png", data: PIXEL })
  }
  expect(transcript(root, session)[5]).toBe("user: [file]")
})

test("an image of an MCP server is attached, or named if it is not taken", () => {
  const content = [
    { type: "text", text: "Here:" },
    { type: "image", mimeType: "image/png", data: PIXEL },
    { type: "audio", mimeType: "audio/wav", data: "AAAA" },
  ]
  const files: MessageFile[] = []
  const options = { server: "eye", tool: "look", counter: o200k, mostTokens: 1_000 }
  const attach = (file: MessageFile) => files.push(file) > 0
  const text = resultText({ content }, { ...options, attach })
  expect(text).toContain(
    "Here:\n(attached below: image, image/png, 72 bytes)\n(left out: audio, audio/wav, 3 bytes)",
  )
  expect(files).toEqual([image])
  expect(resultText({ content }, options)).toContain("(left out: image, image/png, 72 bytes)")
})

test("a model that takes no files reads a line in the place of each", () => {
  const file = {
    kind: "native",
    format: "file",
    value: { type: "file", ...image, name: "pixel.png" },
  } as const
  const message = { role: "user", parts: [{ kind: "text", text: "Look." }, file] } as const
  const model = { id: "local/small", takesFiles: false }
  expect(wireMessages([message], model).messages).toEqual([
    {
      role: "user",
      parts: [
        { kind: "text", text: "Look." },
        {
          kind: "text",
          text: '[left out: a file "pixel.png" of the type image/png, which this model does not take]\n',
        },
      ],
    },
  ])
  expect(wireMessages([message], { id: "local/large" }).messages).toEqual([message])
})
