// Every parser on every hostile shape: a text four times as long takes about four times the CPU time, up to a quarter of
// a megabyte. Measured in the thread that parses, so other work on the machine does not count.
import { expect, test } from "vitest"
import { PARSERS } from "../fuzz/parsers.ts"
import { SHAPES } from "../fuzz/shapes.ts"
import { sweepInWorker } from "../fuzz/sweep.ts"

const SIZES = [1_000, 4_000, 16_000, 64_000, 256_000]
/** These write files and databases, and have parsers in them that are swept by themselves. */
const SMALLER: ReadonlySet<string> = new Set(["memory", "workflow", "markdown"])

/** What these take does not depend on the text. */
const names = Object.keys(PARSERS).filter((name) => !name.startsWith("damaged"))

test.each(names)("%s takes time in proportion to any text", async (parser) => {
  const sizes = SMALLER.has(parser) ? SIZES.slice(0, 4) : SIZES
  expect(await sweepInWorker({ parser, shapes: [...SHAPES.keys()], sizes })).toEqual([])
})
