// A portable file in a conversation, in the form of every API; where there is none, the request says so.
import { expect, test } from "vitest"
import type { Native } from "../../src/core/model/message.ts"
import { fileIn } from "../../src/render/formats/file-part.ts"
import { ownParts } from "../../src/render/formats/native.ts"

const image = { type: "file", mediaType: "image/png", data: "AAAA", name: "a.png" }
const paper = { type: "file", mediaType: "application/pdf", data: "AAAA" }
const URL_OF = { image: "data:image/png;base64,AAAA", paper: "data:application/pdf;base64,AAAA" }
const bytes = { $bytes: "AAAA" }

test.each<[Native["format"], Native["value"], Native["value"]]>([
  [
    "anthropic",
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } },
  ],
  [
    "chat",
    { type: "image_url", image_url: { url: URL_OF.image } },
    { type: "file", file: { filename: "file.pdf", file_data: URL_OF.paper } },
  ],
  [
    "responses",
    { type: "input_image", detail: "auto", image_url: URL_OF.image },
    { type: "input_file", filename: "file.pdf", file_data: URL_OF.paper },
  ],
  [
    "google",
    { inlineData: { mimeType: "image/png", data: "AAAA" } },
    { inlineData: { mimeType: "application/pdf", data: "AAAA" } },
  ],
  [
    "bedrock",
    { image: { format: "png", source: { bytes } } },
    { document: { format: "pdf", name: "file pdf", source: { bytes } } },
  ],
  [
    "ai-sdk",
    { type: "file", mediaType: "image/png", data: "AAAA", filename: "a.png" },
    { type: "file", mediaType: "application/pdf", data: "AAAA" },
  ],
])("%s", (format, asImage, asPaper) => {
  expect([fileIn(image, format), fileIn(paper, format)]).toEqual([
    { format, value: asImage },
    { format, value: asPaper },
  ])
})

test("plain text has no files, and says what is left out", () => {
  const message = { role: "user", parts: [{ kind: "native", format: "file", value: image }] } as const
  expect(ownParts(undefined)([message])).toEqual({
    messages: [{ role: "user", parts: [{ kind: "text", text: "" }] }],
    diagnostics: [{ code: "native-left-out", format: "file", type: "file", count: 1 }],
  })
})
