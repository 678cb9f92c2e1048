// The commonest mistakes with the compiler in TypeScript, and what a person reads. In JavaScript, the same mistakes are
// refused when they are made: test/core/compile/input-mistakes.test.ts and test/render/nothing-lost.test.ts.
import { expect, test } from "vitest"
import { typeErrors } from "./type-errors.ts"

const SETUP = `
import { type Agent, attach, createCompiler, feed, type Message, type Profile, type Prompt } from "../../../src/public/incipit.ts"
import { readInput, section, type Session, sessionInput, type Turn, turnInput, userMessage } from "../../../src/public/incipit.ts"
import { createCompiler as createWithCounter } from "../../../src/public/compiler.ts"
import { renderAnthropic } from "../../../src/public/render.ts"
declare const profile: Profile
declare const agent: Agent
declare const session: Session
declare const turn: Turn
declare const prompt: Prompt
declare const messages: readonly Message[]
const compiler = createCompiler({ profile })
const head = compiler.head(agent, session)
const tasks = turnInput("tasks", (value) => (Array.isArray(value) ? value.map(String) : undefined))
const owner = sessionInput("owner", (value) => (typeof value === "string" ? value : undefined))
`

const MISTAKES: readonly (readonly [line: string, errors: readonly string[]])[] = [
  [
    "createCompiler(profile)",
    ["TS2741: Property 'profile' is missing in type 'Profile' but required in type 'CompilerOptions'."],
  ],
  [
    "createWithCounter({ profile })",
    [
      "TS2741: Property 'counter' is missing in type '{ profile: Profile; }' but required in type 'CompilerOptions'.",
    ],
  ],
  [
    "createWithCounter({ profile, counter: (text: string) => text.length })",
    ["TS2322: Type '(text: string) => number' is not assignable to type 'Counter'."],
  ],
  [
    `createCompiler({ profile: { name: "x", sections: [{ id: "a", pace: "fast", build: () => "x" }] } })`,
    [`TS2322: Type '"fast"' is not assignable to type '"session" | "stable" | "turn"'.`],
  ],
  [
    `compiler.head(agent, { ...session, audience: { trust: "owner", situation: "dm", mode: "full" } })`,
    [`TS2322: Type '"owner"' is not assignable to type '"familiar" | "full" | "inner" | "public"'.`],
  ],
  [
    `compiler.head(agent, { id: "s" })`,
    [
      "TS2739: Type '{ id: string; }' is missing the following properties from type 'Session': audience, files",
    ],
  ],
  ["compiler.head(agent, session, { budget: 3000 })", []],
  ["compiler.head(agent, session, { budget: { head: 3000 } })", []],
  [
    `compiler.head(agent, session, { budget: "3000" })`,
    ["TS2322: Type 'string' is not assignable to type 'number | Partial<Budget> | undefined'."],
  ],
  [
    "compiler.head(agent, session, { budget: { max: 3000 } })",
    [
      "TS2353: Object literal may only specify known properties, and 'max' does not exist in type 'Partial<Budget>'.",
    ],
  ],
  [
    `head.step({ id: "t", now: new Date(), timeZone: "UTC" })`,
    ["TS2322: Type 'Date' is not assignable to type 'number'."],
  ],
  [
    "attach(messages, prompt)",
    [
      `TS2345: Argument of type 'Prompt' is not assignable to parameter of type 'AttachedTail'.
  Types of property 'plan' are incompatible.
    Type 'Plan' is not assignable to type '"attach takes prompt.tail, not the prompt"'.`,
    ],
  ],
  ["attach(messages, prompt.tail)", []],
  [
    `attach([{ role: "user", content: "Hello." }], prompt.tail)`,
    [
      "TS2353: Object literal may only specify known properties, and 'content' does not exist in type 'Message'.",
    ],
  ],
  [
    `attach(userMessage("Hello."), prompt.tail)`,
    [
      "TS2740: Type 'Message' is missing the following properties from type 'readonly Message[]': length, concat, join, slice, and 26 more.",
    ],
  ],
  [
    "renderAnthropic(prompt, messages, {})",
    ["TS2741: Property 'model' is missing in type '{}' but required in type 'RenderOptions'."],
  ],
  [
    `section({ id: "a", pace: "turn", build: ({ turn }) => readInput(turn, tasks) })`,
    [
      `TS2322: Type 'string[] | undefined' is not assignable to type 'string | Content | Unused | undefined'.
  Type 'string[]' is not assignable to type 'string | Content | Unused | undefined'.`,
    ],
  ],
  [
    `section({ id: "a", pace: "session", build: ({ session }) => readInput(session, tasks)?.join() })`,
    [
      `TS2345: Argument of type 'SessionView' is not assignable to parameter of type '{ readonly inputs?: Inputs<"turn"> | undefined; }'.
  Types of property 'inputs' are incompatible.
    Type 'Inputs<"session"> | undefined' is not assignable to type 'Inputs<"turn"> | undefined'.
      Type 'Inputs<"session">' is not assignable to type 'Inputs<"turn">'.
        Type '"session"' is not assignable to type '"turn"'.`,
    ],
  ],
  [
    `head.step({ ...turn, inputs: feed(tasks, "water the plants") })`,
    ["TS2345: Argument of type 'string' is not assignable to parameter of type 'string[]'."],
  ],
  [
    `head.step({ ...turn, inputs: feed(owner, "Ada") })`,
    [
      `TS2322: Type 'Inputs<"session">' is not assignable to type 'GivenInputs<"turn"> | undefined'.
  Type 'Inputs<"session">' is not assignable to type 'Inputs<"turn">'.
    Type '"session"' is not assignable to type '"turn"'.`,
    ],
  ],
]

const found = typeErrors(Object.fromEntries(MISTAKES.map(([line]) => [line, `${SETUP}${line}`])))

test.each(MISTAKES)("%s", (line, errors) => {
  expect(found[line]).toEqual(errors)
})
