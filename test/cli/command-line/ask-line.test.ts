import { PassThrough } from "node:stream"
import { finished } from "node:stream/promises"
import { expect, test } from "vitest"
import { askLine } from "../../../src/cli/command-line/ask-line.ts"

test("an input that has ended before the question answers none", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.resume().end()
  await finished(input)
  expect(await askLine({ input, output }, "> ", { above: "Go on?\n" })).toBe(undefined)
})
