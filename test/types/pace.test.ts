// What a person reads who writes a section that cannot be compiled.
import { expect, test } from "vitest"
import { typeErrors } from "./type-errors.ts"

const IMPORT = `import { section, textContent } from "../../../src/public/incipit.ts"\n`

/** What is written in `section({ id: "x", … })`, and the errors. */
const SECTIONS: readonly (readonly [body: string, errors: readonly string[]])[] = [
  [`pace: "stable", build: ({ agent }) => textContent(agent.id)`, []],
  [
    `pace: "stable", build: ({ session }) => textContent(session.id)`,
    [`TS2339: Property 'session' does not exist on type '{ readonly agent: AgentView; }'.`],
  ],
  [
    `pace: "stable", build: (scope) => textContent(String(scope.turn.now))`,
    [`TS2339: Property 'turn' does not exist on type '{ readonly agent: AgentView; }'.`],
  ],
  [
    `pace: "session", build: ({ turn }) => textContent(turn.id)`,
    [
      `TS2339: Property 'turn' does not exist on type '{ readonly agent: AgentView; readonly session: SessionView; }'.`,
    ],
  ],
  [`pace: "turn", build: ({ agent, session, turn }) => textContent(agent.id + session.id + turn.id)`, []],
  [`pace: "turn", build: ({ turn }) => turn.message`, []],
  [`pace: "session", priority: "low", trust: "inner", cut: "ends", onChange: "wait", build: () => "x"`, []],
  [
    `pace: "stable", onChange: "always", build: () => "x"`,
    [`TS2322: Type '"always"' is not assignable to type '"append" | "rebuild" | "wait" | undefined'.`],
  ],
  [
    `pace: "session", onChange: "step", build: () => "x"`,
    [`TS2322: Type '"step"' is not assignable to type '"append" | "rebuild" | "wait" | undefined'.`],
  ],
  [
    `pace: "turn", onChange: "append", build: () => "x"`,
    [`TS2322: Type '"append"' is not assignable to type '"always" | "step" | "turn" | undefined'.`],
  ],
  [
    `pace: "turn", build: async () => "x"`,
    [`TS2322: Type 'Promise<string>' is not assignable to type 'string | Content | Unused | undefined'.`],
  ],
  [
    `pace: "turn", build: ({ turn }) => turn.now`,
    [`TS2322: Type 'number' is not assignable to type 'string | Content | Unused | undefined'.`],
  ],
  [
    `pace: "turn", build: ({ turn }) => turn.planMode && "x"`,
    [
      `TS2322: Type '"x" | false | undefined' is not assignable to type 'string | Content | Unused | undefined'.\n  Type 'false' is not assignable to type 'string | Content | Unused | undefined'.`,
    ],
  ],
  [
    `pace: "turn", prioritiy: "low", build: () => "x"`,
    [
      `TS2561: Object literal may only specify known properties, but 'prioritiy' does not exist in type 'SectionSpec<"turn">'. Did you mean to write 'priority'?`,
    ],
  ],
  [
    `pace: "turn", trust: "everyone", build: () => "x"`,
    [
      `TS2322: Type '"everyone"' is not assignable to type '"familiar" | "full" | "inner" | "public" | undefined'.`,
    ],
  ],
]

const found = typeErrors(
  Object.fromEntries(SECTIONS.map(([body]) => [body, `${IMPORT}section({ id: "x", ${body} })`])),
)

test.each(SECTIONS)("%s", (body, errors) => {
  expect(found[body]).toEqual(errors)
})
