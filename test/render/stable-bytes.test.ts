// What must not change a byte of a request in any renderer: arbitrary orders, and the passing of time.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createCompiler } from "../../src/core/compile/compiler.ts"
import { attach } from "../../src/core/layout/tail.ts"
import { textContent } from "../../src/core/model/content.ts"
import type { Tool, Turn } from "../../src/core/model/inputs.ts"
import { type Message, userMessage } from "../../src/core/model/message.ts"
import { section } from "../../src/core/model/section.ts"
import { readInput, sessionInput, turnInput } from "../../src/core/model/section-input.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { makeAgent, makeProfile, makeSession, makeTurn } from "../core/make.ts"
import { bytes, conversation, optionsFor, profile, RENDERERS } from "./sample.ts"

const SEED = { seed: 7, numRuns: 60 }
const facts = { priority: "required", trust: "public", cut: "whole" } as const

/** Reads inputs by name; a host may pass them in any order. */
const withInputs = makeProfile([
  ...profile.sections,
  section({
    id: "project",
    pace: "session",
    ...facts,
    build: ({ session }) =>
      textContent(["a", "b"].map((name) => readInput(session, sessionInput(name, String))).join(" ")),
  }),
  section({
    id: "tasks",
    pace: "turn",
    ...facts,
    build: ({ turn }) =>
      textContent(["a", "b"].map((name) => readInput(turn, turnInput(name, String))).join(" ")),
  }),
])
const compiler = () => createCompiler({ profile: withInputs, counter: o200k })

const words = fc.string({ minLength: 1, maxLength: 12 })
const schema = fc.dictionary(
  words,
  fc.oneof(words, fc.dictionary(words, fc.array(words, { maxLength: 3 }))),
  {
    maxKeys: 5,
  },
)
const tools = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), description: words, parameters: schema }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 6 },
)
const inputs = fc.record({ a: words, b: words })
const moment = fc.record({
  now: fc.integer({ min: 0, max: 2 ** 40 }),
  git: fc.record({ branch: words, dirty: fc.nat(9), commits: fc.constant([]) }),
  message: words,
})

/** The same value with the keys of every record reversed. */
function turned<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(turned) as T
  const entries = Object.entries(value).map(([key, item]) => [key, turned(item)] as const)
  return Object.fromEntries(entries.reverse()) as T
}

describe.each(RENDERERS)("$name", ({ render, model, head, items }) => {
  const options = optionsFor(model)
  // Each row of the table reads the requests of its own renderer.
  const headOf = (request: unknown) => head(request as never)
  const itemsOf = (request: unknown) => items(request as never)

  const requestOf = (given: {
    readonly tools: readonly Tool[]
    readonly inputs: Readonly<Record<string, unknown>>
  }) => {
    const session = makeSession({ inputs: given.inputs })
    const prompt = compiler()
      .head(makeAgent({ tools: given.tools }), session)
      .step(makeTurn({ inputs: given.inputs }))
    return render(prompt, attach(conversation, prompt.tail), options).request
  }

  test("the order of tools, of keys in their schemas and of inputs changes no byte", () => {
    fc.assert(
      fc.property(tools, inputs, (given, values) => {
        const one = requestOf({ tools: given, inputs: values })
        const other = requestOf({ tools: turned(given).toReversed(), inputs: turned(values) })
        expect(JSON.stringify(other)).toBe(JSON.stringify(one))
      }),
      SEED,
    )
  })

  test("clock, git and message change neither head nor tools nor an earlier message", () => {
    fc.assert(
      fc.property(moment, moment, fc.boolean(), (first, second, isSameHead) => {
        const made = compiler().head(makeAgent(), makeSession())
        const again = isSameHead ? made : compiler().head(makeAgent(), makeSession())
        const send = (turn: Partial<Turn>, prompt = made.step(makeTurn(turn))) => {
          const messages: readonly Message[] = [...conversation, userMessage(turn.message ?? "")]
          return render(prompt, attach(messages, prompt.tail), options).request
        }
        const one = send(first)
        const other = send(second, again.step(makeTurn(second)))
        expect(headOf(other)).toEqual(headOf(one))
        expect(bytes(itemsOf(other).slice(0, -1))).toBe(bytes(itemsOf(one).slice(0, -1)))
        expect(bytes(withoutConversation(other, itemsOf(other)))).toBe(
          bytes(withoutConversation(one, itemsOf(one))),
        )
      }),
      SEED,
    )
  })
})

/** All fields except the list that contains the newest message. */
function withoutConversation(request: unknown, items: readonly unknown[]): unknown {
  const fields = Object.entries(request as Record<string, unknown>)
  return fields.filter(
    ([, value]) => !(Array.isArray(value) && value.at(-1) === items.at(-1)) && value !== items[0],
  )
}
