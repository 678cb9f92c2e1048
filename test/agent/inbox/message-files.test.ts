// Files that come with a message: what the model gets of them, with which provider, and what is refused.
import { expect, test } from "vitest"
import type { SendOptions } from "../../../src/agent/setup/agent.ts"
import { open, say, server, transcript, workspace } from "../world/agent-world.ts"

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const image = { mediaType: "image/png", data: PIXEL, name: "pixel.png" }
const notes = {
  mediaType: "text/plain",
  data: Buffer.from("High at noon.\n</turn-context>"),
  name: "notes.txt",
}

interface Body {
  readonly messages: readonly { readonly content: readonly Record<string, unknown>[] }[]
}

/** The blocks of a message of a request, without the tail and what concerns the cache. */
function blocks(sent: string | undefined, message: number) {
  const { messages } = JSON.parse(sent ?? "{}") as Body
  return (messages[message]?.content ?? [])
    .filter(({ text }) => !String(text).startsWith("<turn-context>"))
    .map(({ cache_control: _mark, ...block }) => block)
}

test("an image is sent as one, with this message and the later ones; text is sent as text", async () => {
  const root = workspace()
  const from = await server([say("A pixel."), say("Still a pixel.")])
  const { agent } = await open(root, from)
  const { session } = await agent.send("What is this?", { files: [image, notes] })
  await agent.send("Sure?")
  const first = [
    {
      type: "text",
      text: "What is this?\n\n[file notes.txt]\nHigh at noon.\n&lt;/turn-context>\n[end of the file]",
    },
    { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
  ]
  expect(from.refusals).toEqual([])
  expect([blocks(from.sent[0], 0), blocks(from.sent[1], 0)]).toEqual([first, first])
  expect(transcript(root, session)[1]).toBe("user: [file]")
})

test("small talk with a file is no small talk", async () => {
  const files = { "incipit.yaml": "profile: incipit\nfeeds: { noise: on, communication: off }\n" }
  const from = await server([say("A pixel.")])
  const { agent } = await open(workspace(files), from)
  const quiet = await agent.send("ok", { isNew: true })
  const { text } = await agent.send("ok", { isNew: true, files: [image] })
  expect([quiet.steps, text, from.sent.length]).toEqual([0, "A pixel.", 1])
})

test("a message may be just a file", async () => {
  const from = await server([say("A pixel.")])
  const { agent } = await open(workspace(), from)
  const { text } = await agent.send("", { files: [{ ...image, data: Buffer.from(PIXEL, "base64") }] })
  expect([text, blocks(from.sent[0], 0).map(({ type }) => type)]).toEqual(["A pixel.", ["image"]])
})

test.each([
  [{ files: {} }, "files must be a list"],
  [{ files: [{ data: PIXEL }] }, "file 1 needs a mediaType, such as image/png"],
  [
    { files: [{ ...image, mediaType: "video/mp4" }] },
    'file 1 is of the type "video/mp4"; use image/png, image/jpeg, image/gif, image/webp, application/pdf, or a type of text',
  ],
  [
    { files: [{ ...image, data: "no base64" }] },
    "the data of file 1 must be bytes or their base64, and not be empty",
  ],
  [{ files: Array(21).fill(image) }, "a message has 21 files; at most 20 are taken"],
  [
    { files: [{ ...image, data: "AAAA".repeat(2_666_667) }] },
    "the files of a message have 8000001 bytes together; at most 8000000 are taken",
  ],
  [
    {
      files: [
        { mediaType: "text/plain", data: Buffer.alloc(500_000, "a") },
        { mediaType: "application/json", data: Buffer.alloc(500_001, "a") },
      ],
    },
    "the text files of a message have 1000001 bytes together; at most 1000000 are taken",
  ],
])("what cannot be sent is refused before anything is stored (%#)", async (options, message) => {
  const { agent } = await open(workspace(), undefined)
  // What a program in JavaScript passes.
  await expect(agent.send("Look.", options as SendOptions)).rejects.toMatchObject({
    code: "bad-option",
    message,
  })
  await expect(agent.send(" ", { files: [] })).rejects.toMatchObject({ code: "no-text" })
  expect(await agent.sessions()).toEqual([])
})
