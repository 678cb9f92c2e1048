// What `incipit run` takes as its message: words, and what is piped in.
import { PassThrough, Readable } from "node:stream"
import { expect, test } from "vitest"
import { flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { readMessage } from "../../../src/cli/commands/agent/run-message.ts"

const PNG = Buffer.from("\x89PNG\r\n\x1a\n....", "latin1")

interface Given {
  readonly words?: readonly string[]
  /** Undefined for a pipe that nobody writes to or closes. */
  readonly piped?: string | Buffer | undefined
  readonly isTTY?: boolean
  readonly schedule?: boolean
}

/** What is read, and what is said on stderr. */
async function read({ words = [], piped, isTTY = false, schedule = false }: Given) {
  const said: string[] = []
  const input = Object.assign(piped === undefined ? new PassThrough() : Readable.from([Buffer.from(piped)]), {
    isTTY,
  })
  const message = await readMessage(words, {
    flags: flagsFor("run", { schedule }),
    waitMs: 1,
    // The only parts of a terminal that are used.
    terminal: { err: (text: string) => void said.push(text), streams: { input } } as never,
  }).catch((error: Error) => error.message)
  if (typeof message !== "object") return { message, said }
  const files = message.files.map(({ data, ...file }) => ({
    ...file,
    data: Buffer.from(data).toString("latin1"),
  }))
  return { message: { ...message, files }, said, isOpen: !input.destroyed }
}

const text = (data: string) => ({ name: "stdin", mediaType: "text/plain", data })

test.each<[string, Given, unknown]>([
  ["words alone", { words: ["hi", "you"], piped: "" }, { text: "hi you", files: [] }],
  [
    "words, and what is piped",
    { words: ["sum up"], piped: "a\nb\n" },
    { text: "sum up", files: [text("a\nb\n")] },
  ],
  ["what is piped alone", { piped: "  a\nb\n" }, { text: "a\nb", files: [] }],
  ["the same, asked for", { words: ["-"], piped: "a\n" }, { text: "a", files: [] }],
  ["both, asked for", { words: ["sum", "up", "-"], piped: "a" }, { text: "sum up", files: [text("a")] }],
  ["nothing", { piped: "" }, undefined],
  ["nothing but blanks", { piped: " \n\n" }, undefined],
  ["nothing, although asked for", { words: ["sum up", "-"], piped: "\n" }, "stdin is empty"],
  ["no message at all, although asked for", { words: ["-"], piped: "" }, "the message is empty"],
  [
    "a dash in the middle",
    { words: ["what", "is", "-", "for"], piped: "" },
    { text: "what is - for", files: [] },
  ],
  [
    "an image",
    { words: ["what is this"], piped: PNG },
    {
      text: "what is this",
      files: [{ name: "stdin", mediaType: "image/png", data: PNG.toString("latin1") }],
    },
  ],
  [
    "an image alone",
    { piped: PNG },
    { text: "", files: [{ name: "stdin", mediaType: "image/png", data: PNG.toString("latin1") }] },
  ],
  [
    "UTF-16 of Windows",
    { words: ["x"], piped: Buffer.from("\ufeffhé", "utf16le") },
    { text: "x", files: [text(Buffer.from("hé").toString("latin1"))] },
  ],
  [
    "another program's bytes",
    { words: ["x"], piped: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]) },
    "stdin is neither text nor an image (PNG, JPEG, GIF, WebP) nor a PDF, which are what a model takes",
  ],
  [
    "bytes that are no UTF-8",
    { piped: Buffer.from([0xc3, 0x28]) },
    "stdin is neither text nor an image (PNG, JPEG, GIF, WebP) nor a PDF, which are what a model takes",
  ],
  [
    "a long text",
    { words: ["x"], piped: "a".repeat(1_000_001) },
    "stdin has more than 1 MB, the most that goes with a message. Send a part of it, for example with head or tail, or name the file in the message and let the agent read it",
  ],
  [
    "more than is ever read",
    { words: ["x"], piped: Buffer.alloc(8_000_001) },
    "stdin has more than 8 MB, the most that goes with a message. Send a part of it, for example with head or tail, or name the file in the message and let the agent read it",
  ],
  ["a person at a terminal", { words: ["hi"], isTTY: true }, { text: "hi", files: [] }],
  ["the schedule", { schedule: true }, undefined],
])("%s", async (_name, given, expected) => {
  const { message, said } = await read(given)
  expect({ message, said }).toEqual({ message: expected, said: [] })
})

test("a pipe that nobody writes to is not waited for, and does not keep the process", async () => {
  expect(await read({ words: ["hi"] })).toEqual({
    message: { text: "hi", files: [] },
    said: [
      "warning: stdin is a pipe, but nothing came in 0.001 s, so it is left out. To wait for it, add - after the message; to leave it out at once, add < /dev/null.\n",
    ],
    isOpen: false,
  })
})
