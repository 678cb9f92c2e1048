// Inputs of sections are typed by name and pace: a section cannot read what another pace provides, and a host cannot feed
// a value of the wrong type.
import { expect, expectTypeOf, test } from "vitest"
import { compile } from "../../../src/core/compile/compiler.ts"
import { textContent } from "../../../src/core/model/content.ts"
import type { Session, Turn } from "../../../src/core/model/inputs.ts"
import { section } from "../../../src/core/model/section.ts"
import { feed, readInput, sessionInput, turnInput } from "../../../src/core/model/section-input.ts"
import type { Scopes } from "../../../src/core/model/section-scope.ts"
import { tasksInput } from "../../../src/profiles/inputs.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeAgent, makeProfile, makeSession, makeTurn } from "../make.ts"

const tide = turnInput("tide", (value) => (typeof value === "number" ? value : undefined))
const harbour = sessionInput("harbour", (value) => (typeof value === "string" ? value : undefined))
const facts = { priority: "required", trust: "public", cut: "whole" } as const

const profile = makeProfile([
  section({
    id: "harbour",
    pace: "session",
    ...facts,
    build: ({ session }) => textContent(readInput(session, harbour) ?? "no harbour"),
  }),
  section({
    id: "tide",
    pace: "turn",
    ...facts,
    // The session is slower than the turn, so its inputs can be read too.
    build: ({ session, turn }) =>
      textContent(`${readInput(session, harbour)}: ${readInput(turn, tide)?.toFixed(1) ?? "unknown"}`),
  }),
])

function textFor(session: Partial<Session>, turn: Partial<Turn>): string {
  const scope = { agent: makeAgent(), session: makeSession(session), turn: makeTurn(turn) }
  return compile(profile, scope, { counter: o200k }).text
}

test("a section gets what its input is fed, by name, from its pace", () => {
  const text = textFor({ inputs: feed(harbour, "Skagen") }, { inputs: feed(tide, 1.25) })
  expect(text).toContain("Skagen")
  expect(text).toContain("Skagen: 1.3")
})

test("values from outside are checked: one that cannot be used is absent", () => {
  for (const inputs of [{ tide: "high" }, { harbour: "Skagen" }, {}])
    expect(textFor({ inputs: { harbour: "Skagen", tide: 2 } }, { inputs })).toContain("Skagen: unknown")
  expect(readInput({ inputs: Object.create({ tide: 1 }) }, tide)).toBeUndefined()
})

test("the types of inputs are those of the sections that read them", () => {
  expectTypeOf(readInput({}, tide)).toEqualTypeOf<number | undefined>()
  const [session, turn] = [makeSession(), makeTurn()]
  const wrong = [
    // @ts-expect-error a turn has no inputs of the session
    (scope: Scopes["turn"]) => readInput(scope.turn, harbour),
    // @ts-expect-error a session has no inputs of the turn
    (scope: Scopes["session"]) => readInput(scope.session, tide),
    // @ts-expect-error inputs are not read by a bare name
    (scope: Scopes["turn"]) => scope.turn.inputs?.tide,
    // @ts-expect-error a tide is a number
    () => feed(tide, "high"),
    // @ts-expect-error a task has a title
    () => feed(tasksInput, [{ id: "1", steps: [] }]),
    // @ts-expect-error a turn is not fed with inputs of the session
    (): Turn => ({ ...turn, inputs: feed(harbour, "Skagen") }),
    // @ts-expect-error a session is not fed with inputs of the turn
    (): Session => ({ ...session, inputs: feed(tide, 1) }),
  ]
  expect(wrong).toHaveLength(7)
})
