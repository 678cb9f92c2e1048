// Which sections of MEMORY.md a message recalls, by the words that they share.
import { describe, expect, test } from "vitest"
import { relevantMemory } from "../../../src/profiles/osa/parts.ts"
import { makePart } from "../../core/make.ts"

const MEMORY = `# Facts

## Garden
Roses bloom in June, water them daily.

## Server
The server restarts on Sunday night.

## Family
Rui plays chess.
`

const found = (message: string | undefined) =>
  relevantMemory(makePart(MEMORY), message).map(({ text }) => text.split("\n")[0])

describe("a section is brought up", () => {
  test("by two words that it shares with the message, however long that is", () => {
    const long = "one two three four five six seven eight nine ten eleven twelve roses daily."
    expect(found(long)).toEqual(["## Garden"])
  })

  test("by a fifth of the words, even if that is one", () => {
    expect(found("When does Rui come home")).toEqual(["## Family"])
    expect(found("When does Rui come home from there")).toEqual(["# Facts"])
  })

  test("ignoring case; marks belong to their word", () => {
    expect([found("SERVER"), found("server?")]).toEqual([["## Server"], ["# Facts"]])
  })

  test("not by words of fewer than three letters", () => {
    expect(found("on in the")).toEqual(["## Server"])
  })
})

test.each([undefined, "", "on in", "quantum entanglement"])(
  "with nothing relevant the whole file: %j",
  (message) => {
    expect(relevantMemory(makePart(MEMORY), message).map(({ text }) => text)).toEqual([MEMORY.trim()])
  },
)

test("a file of blank lines gives nothing", () => {
  expect(relevantMemory(makePart("\n \n"), "roses")).toEqual([])
})

test("each section keeps its lines", () => {
  const parts = relevantMemory(makePart(MEMORY, 4), "roses server")
  expect(parts.map(({ from }) => (from?.kind === "file" ? from.lines : undefined))).toEqual([
    [6, 7],
    [9, 10],
  ])
})
