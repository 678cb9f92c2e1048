// Every parser of foreign text reads or refuses whatever it is given: it ends, within a limit of memory, and throws
// nothing but our own errors. `npm run soak` gives each many more texts.
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { noteFigures } from "../figures.ts"
import { guarded } from "./guarded.ts"
import { PARSERS } from "./parsers.ts"
import { hostileText } from "./texts.ts"

const RUNS = Number(process.env.FUZZ_RUNS ?? 40)
/** These make folders, databases or whole prompts for each text. */
const SLOW = /^prompt|^memory$|file$|^context$|^skill$|^workflow$|^config$|^damaged|^transcript|^request/

const worker = guarded()
afterAll(() => worker.close())

test.for(Object.keys(PARSERS))("%s reads or refuses any text", async (parser, context) => {
  const numRuns = Math.ceil(RUNS / (SLOW.test(parser) ? 10 : 1))
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      expect(await worker.run(parser, text)).toBe(undefined)
    }),
    { numRuns, endOnFailure: false },
  )
  noteFigures(context, { texts: numRuns })
})
