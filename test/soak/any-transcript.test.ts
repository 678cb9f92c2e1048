// Many conversations in which anything may happen, with another seed each time. See `test/agent/store/any-transcript.test.ts`.
import process from "node:process"
import fc from "fast-check"
import { expect, test } from "vitest"
import { anyTurns, NOTHING_REFUSED, outcomeOf } from "../agent/world/any-turns.ts"
import { noteFigures } from "../figures.ts"

const CONVERSATIONS = Number(process.env.CONVERSATIONS ?? 300)

test("for any transcript, every provider takes the next request", { timeout: 3_600_000 }, async (context) => {
  await fc.assert(
    fc.asyncProperty(anyTurns, async (turns) => {
      expect(await outcomeOf(turns)).toEqual(NOTHING_REFUSED)
    }),
    { numRuns: CONVERSATIONS },
  )
  noteFigures(context, { conversations: CONVERSATIONS })
})
