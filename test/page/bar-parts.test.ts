// The bar of What if: its parts are those of the call, whatever was rounded.
import { expect, test } from "vitest"
import { barParts } from "../../page/views/what-if/worker/bar-parts.ts"
import { createCompiler } from "../../src/core/compile/compiler.ts"
import { incipit } from "../../src/profiles/incipit/incipit.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { makeAgent, makeSession, makeTurn } from "../core/make.ts"

test("the parts of a bar add up to the call, also if their own sizes are more or less than it", () => {
  const head = createCompiler({ profile: incipit, counter: o200k }).head(makeAgent(), makeSession())
  const prompt = head.step(makeTurn())
  const whole = barParts(prompt, { read: 0, written: 100_000, uncached: 0 })
  const sent = whole.slice(0, -1).reduce((sum, { tokens }) => sum + tokens, 0)
  expect(sent).toBeGreaterThan(100)
  for (const input of [0, 1, sent - 3, sent, sent + 7]) {
    const cache = { read: Math.floor(input / 2), written: Math.floor(input / 3), uncached: 0 }
    const call = { ...cache, uncached: input - cache.read - cache.written }
    const parts = barParts(prompt, call)
    const sum = (of: (part: (typeof parts)[number]) => number) =>
      parts.reduce((total, part) => total + of(part), 0)
    expect([sum(({ tokens }) => tokens), Math.min(...parts.map(({ tokens }) => tokens)) >= 0]).toEqual([
      input,
      true,
    ])
    expect({
      read: sum((part) => part.cache?.read ?? 0),
      written: sum((part) => part.cache?.written ?? 0),
      uncached: sum((part) => part.cache?.uncached ?? 0),
    }).toEqual(call)
  }
})
