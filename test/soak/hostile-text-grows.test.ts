// Every parser on hostile shapes: a text four times as long takes about four times the CPU time, up to a quarter of a
// megabyte. Measured in the thread that parses, so other work on the machine does not count. Each run draws other shapes.
import process from "node:process"
import { expect, test } from "vitest"
import { noteFigures } from "../figures.ts"
import { PARSERS } from "../fuzz/parsers.ts"
import { SHAPES } from "../fuzz/shapes.ts"
import { sweepInWorker } from "../fuzz/sweep.ts"
import { randomFrom, SOAK_ALL, SOAK_SEED, shuffled } from "./drawn.ts"

const SIZES = [1_000, 4_000, 16_000, 64_000, 256_000]
/** These write files and databases, and have parsers in them that are swept by themselves. */
const SMALLER = /^memory$|^workflow$|^transcript/
/** How many shapes each parser gets. */
const SHAPES_EACH = SOAK_ALL ? SHAPES.size : Number(process.env.GROWTH_SHAPES ?? 80)

/** What these take does not depend on the text. */
const names = Object.keys(PARSERS).filter((name) => !name.startsWith("damaged"))
const random = randomFrom(SOAK_SEED)
const cases = names.map((parser) => ({
  parser,
  shapes: shuffled([...SHAPES.keys()], random).slice(0, SHAPES_EACH),
  sizes: SMALLER.test(parser) ? SIZES.slice(0, 4) : SIZES,
}))

test.for(cases)("$parser takes time in proportion to any text", async (task, context) => {
  expect(await sweepInWorker(task)).toEqual([])
  noteFigures(context, { texts: task.shapes.length * task.sizes.length })
})
