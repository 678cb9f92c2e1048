// A call that was seen on the wire, and the same call in a client's own file under another id.
import { expect, test } from "vitest"
import type { CalledUsage } from "../../src/capture/call.ts"
import { createTwins } from "../../src/capture/twins.ts"

const CALL: CalledUsage = {
  ...{ id: "file", client: "pi", session: "s", at: 1_000_000, model: "pi/m" },
  usage: { uncached: 10, read: 90, write: {}, output: 5 },
}
const WIRE: CalledUsage = { ...CALL, id: "wire", model: "m", at: CALL.at - 60_000, via: "wire" }

test("a call of the wire stands for one of a file that used the same within a minute", () => {
  const twins = createTwins()
  twins.add(WIRE)
  expect(twins.take({ ...CALL, at: CALL.at + 1 })).toBe(false)
  expect(twins.take({ ...CALL, client: "codex" })).toBe(false)
  expect(twins.take({ ...CALL, usage: { ...CALL.usage, output: 6 } })).toBe(false)
  expect(twins.take(CALL)).toBe(true)
  expect(twins.take(CALL)).toBe(false)
})

test("of two, the nearer one is taken", () => {
  const twins = createTwins()
  twins.add(WIRE)
  twins.add({ ...WIRE, at: CALL.at })
  expect(twins.take(CALL)).toBe(true)
  // The one a minute before is left.
  expect(twins.take({ ...CALL, at: WIRE.at })).toBe(true)
})

test("two calls of the wire, or two of a file, are two calls", () => {
  const twins = createTwins()
  twins.add(CALL)
  expect(twins.take(CALL)).toBe(false)
  twins.add(WIRE)
  expect(twins.take({ ...WIRE, id: "other" })).toBe(false)
})
