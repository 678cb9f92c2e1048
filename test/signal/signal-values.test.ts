import { expect, test } from "vitest"
import { isSignal, type Signal } from "../../src/signal/signal.ts"

const SIGNAL: Signal = { mode: "build", genre: "direct", type: "general", format: "message", weight: 0.75 }

test("a signal from outside must have all five values, each a known one", () => {
  const { weight: _, ...lighter } = SIGNAL
  expect(
    [SIGNAL, { ...SIGNAL, weight: 0, extra: 1 }, { ...SIGNAL, type: "request", weight: 1 }].map(isSignal),
  ).toEqual([true, true, true])
  const wrong = [
    ...[undefined, null, "build", 1, [], {}, lighter],
    { ...SIGNAL, mode: "BUILD" },
    { ...SIGNAL, genre: "build" },
    { ...SIGNAL, type: undefined },
    { ...SIGNAL, format: ["message"] },
    ...[-0.1, 1.1, Number.NaN, "0.5"].map((weight) => ({ ...SIGNAL, weight })),
  ]
  expect(wrong.filter(isSignal)).toEqual([])
})
