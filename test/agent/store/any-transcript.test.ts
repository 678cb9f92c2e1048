// Whatever happens in a conversation, every provider takes the next request: well-formed text, plain ids that are used
// once, calls with their results, roles in turn, within the window. `npm run soak` has many more of them.
import fc from "fast-check"
import { expect, test } from "vitest"
import { anyTurns, NOTHING_REFUSED, outcomeOf } from "../world/any-turns.ts"

test("for any transcript, every provider takes the next request", async () => {
  await fc.assert(
    fc.asyncProperty(anyTurns, async (turns) => {
      expect(await outcomeOf(turns)).toEqual(NOTHING_REFUSED)
    }),
    { numRuns: 6, seed: 20_26 },
  )
})
