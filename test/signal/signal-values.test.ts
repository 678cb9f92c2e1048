import { expect, test } from "vitest"
import { isSignal, SIGNAL_MODES, SIGNAL_TYPES, type Signal, wantsPlan } from "../../src/signal/signal.ts"

const SIGNAL: Signal = { mode: "build", genre: "direct", type: "general", format: "message", weight: 0.75 }

test("a plan is wanted for heavy work that is no question, issue, schedule, summary or report", () => {
  const wanted = SIGNAL_MODES.flatMap((mode) =>
    SIGNAL_TYPES.filter((type) => wantsPlan({ ...SIGNAL, mode, type })).map((type) => `${mode} ${type}`),
  )
  expect(wanted).toEqual([
    "build request",
    "build general",
    "execute request",
    "execute general",
    "maintain request",
    "maintain general",
  ])
  expect([0.748, 0.75, 1].map((weight) => wantsPlan({ ...SIGNAL, weight }))).toEqual([false, true, true])
})

test("a signal from outside has the five values and each is one that there is", () => {
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
