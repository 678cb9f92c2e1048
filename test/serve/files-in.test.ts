// Images and documents in requests of the compatible APIs, down to what the model is sent.
import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { expect, test } from "vitest"
import type { Model } from "../../src/agent/models/model.ts"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { echo, type Served, serve } from "./served.ts"

const PNG = Buffer.from("not really an image").toString("base64")
const PDF = Buffer.from("not really a document").toString("base64")
const NOTE = Buffer.from("Milk and eggs.").toString("base64")

const openai = ({ fetch }: Served) => new OpenAI({ apiKey: "token", baseURL: "http://127.0.0.1/v1", fetch })
const anthropic = ({ fetch }: Served) =>
  new Anthropic({ apiKey: "token", baseURL: "http://127.0.0.1", fetch })

/** The offline model, and what it is sent. */
function watched(prompts: string[]): Model {
  const model = offlineModel({ script: echo })
  return {
    ...{ ...model, takesFiles: true },
    language() {
      const language = model.language()
      return {
        ...language,
        doStream(options) {
          prompts.push(JSON.stringify(options))
          return language.doStream(options)
        },
      }
    },
  }
}

type Send = (served: Served) => Promise<unknown>

const image = `data:image/png;base64,${PNG}`
const SENT: Readonly<Record<string, Send>> = {
  chat: (served) =>
    openai(served).chat.completions.create({
      model: "keeper",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: image } },
            { type: "file", file: { file_data: `data:application/pdf;base64,${PDF}`, filename: "a.pdf" } },
            { type: "file", file: { file_data: NOTE, filename: "list.txt" } },
          ],
        },
      ],
    }),
  responses: (served) =>
    openai(served).responses.create({
      model: "keeper",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url: image, detail: "auto" },
            { type: "input_file", file_data: `data:application/pdf;base64,${PDF}`, filename: "a.pdf" },
            { type: "input_file", file_data: NOTE, filename: "list.txt" },
          ],
        },
      ],
    }),
  messages: (served) =>
    anthropic(served).messages.create({
      ...{ model: "keeper", max_tokens: 100 },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
            {
              ...{ type: "document", title: "a.pdf" },
              source: { type: "base64", media_type: "application/pdf", data: PDF },
            },
            {
              ...{ type: "document", title: "list.txt" },
              source: { type: "text", media_type: "text/plain", data: "Milk and eggs." },
            },
          ],
        },
      ],
    }),
}

test.each(Object.entries(SENT))("%s: an image, a PDF and a text reach the model", async (_name, send) => {
  const prompts: string[] = []
  const served = await serve(watched(prompts))
  await send(served)
  const [prompt = ""] = prompts
  const found = [PNG, PDF, "[file list.txt]\\nMilk and eggs."].map((text) => prompt.includes(text))
  expect(found).toEqual([true, true, true])
})

test("a conversation with an image is found again, in any API", async () => {
  const served = await serve(echo)
  const text = { type: "text", text: "What is this?" } as const
  const answer = await openai(served).chat.completions.create({
    model: "keeper",
    messages: [{ role: "user", content: [text, { type: "image_url", image_url: { url: image } }] }],
  })
  const continued = (data: string) =>
    anthropic(served).messages.create({
      ...{ model: "keeper", max_tokens: 100 },
      messages: [
        {
          role: "user",
          content: [text, { type: "image", source: { type: "base64", media_type: "image/png", data } }],
        },
        { role: "assistant", content: answer.choices[0]?.message.content ?? "" },
        { role: "user", content: "And now?" },
      ],
    })
  await continued(PNG)
  await continued(PDF)
  const [first, same, other] = served.responses.map(({ headers }) => headers.get("x-incipit-session"))
  expect([same === first, other === first]).toEqual([true, false])
})

const REFUSED: readonly [object, string][] = [
  [{ type: "image_url", image_url: { url: "https://example.org/a.png" } }, "the server fetches no addresses"],
  [{ type: "image_url", image_url: { url: "data:image/png,abc" } }, "a data: URL must have base64"],
  [
    { type: "image_url", image_url: { url: "data:image/svg+xml;base64,AAAA" } },
    'is of the type "image/svg+xml"',
  ],
  [{ type: "file", file: { file_id: "file-1" } }, "the server fetches no addresses and stores no files"],
  [{ type: "file", file: { file_data: "AAAA", filename: "a.docx" } }, 'is of the type "docx"'],
  [{ type: "image_url", image_url: { url: "data:image/png;base64,§" } }, "must be bytes or their base64"],
  [{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }, '"input_audio" are not supported'],
]

test.each(REFUSED)("%j is refused with the reason", async (part, why) => {
  const served = await serve(echo)
  const content = [part] as OpenAI.ChatCompletionContentPart[]
  const asked = openai(served).chat.completions.create({
    model: "keeper",
    messages: [{ role: "user", content }],
  })
  await expect(asked).rejects.toThrow(`messages[0].content[0]: `)
  await expect(asked).rejects.toThrow(why)
  expect(await served.agent.sessions()).toEqual([])
})
