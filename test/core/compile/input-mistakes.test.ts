// Mistakes of a host in JavaScript: each gets one line that says what is wrong, instead of a prompt that lacks text.
import { describe, expect, test } from "vitest"
import { IncipitError } from "../../../src/base/error.ts"
import { mostOf, type Trust } from "../../../src/base/trust.ts"
import { compile, createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Baseline } from "../../../src/core/epoch/epoch.ts"
import type { HeadOptions } from "../../../src/core/epoch/head.ts"
import type { StepOptions } from "../../../src/core/epoch/step.ts"
import { attach, type Sent } from "../../../src/core/layout/tail.ts"
import type { Counter } from "../../../src/core/model/counter.ts"
import type { Agent, Session, Turn } from "../../../src/core/model/inputs.ts"
import type { Message } from "../../../src/core/model/message.ts"
import { feed, type Input, readInput } from "../../../src/core/model/section-input.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTool,
  makeTurn,
} from "../make.ts"

const profile = makeProfile([fileSection("soul")])

/** As JavaScript would pass it. */
function compiled(given: { agent?: unknown; session?: unknown; turn?: unknown }): void {
  const whole = { agent: makeAgent(), session: makeSession(), turn: makeTurn(), ...given }
  compile(profile, whole as { agent: Agent; session: Session; turn: Turn }, { counter: chars })
}

const TRUSTS = "public, familiar, inner, full"

test.each<[string, unknown, string]>([
  ["no agent", undefined, "the agent is missing"],
  [
    "an agent without tools",
    { id: "a", files: [] },
    "the agent has no list of tools; pass tools: [] if there are none",
  ],
  [
    "a file with a misspelled trust",
    makeAgent({ files: [makeFile({ role: "soul", trust: "privat" as Trust })] }),
    `"SOUL.md" in the files of the agent has the trust "privat"; use ${TRUSTS}`,
  ],
  [
    "a tool with a misspelled trust",
    makeAgent({ tools: [makeTool("pay", { trust: "owner" as Trust })] }),
    `"pay" in the tools of the agent has the trust "owner"; use ${TRUSTS}`,
  ],
  [
    "a path as a file",
    { ...makeAgent(), files: ["AGENTS.md"] },
    "file 1 of the agent has no role, path and text; readFiles from incipit/sources makes such objects",
  ],
  [
    "a tool of an SDK",
    { ...makeAgent(), tools: [makeTool("x"), { type: "function", function: { name: "x" } }] },
    "tool 2 isn't { name, description, parameters }, with a JSON Schema as parameters; pass what is in its function",
  ],
])("%s", (_what, agent, problem) => {
  expect(() => compiled({ agent })).toThrow(new IncipitError("bad-input", problem))
})

const AUDIENCE = { trust: "full", situation: "dm", mode: "full" }

test.each<[string, unknown, string]>([
  ["no session", undefined, "the session is missing"],
  [
    "a session without an audience",
    { id: "s", files: [] },
    'the session has no audience, such as { trust: "public", situation: "dm", mode: "full" }',
  ],
  [
    "an unknown trust",
    { id: "s", files: [], audience: { ...AUDIENCE, trust: "owner" } },
    `the session's audience has the trust "owner"; use ${TRUSTS}`,
  ],
  [
    "no trust",
    { id: "s", files: [], audience: { situation: "dm", mode: "full" } },
    `the session's audience has no trust; use ${TRUSTS}`,
  ],
  [
    "no situation",
    { id: "s", files: [], audience: { trust: "full", mode: "full" } },
    "the session's audience has no situation",
  ],
  [
    "an unknown mode",
    { id: "s", files: [], audience: { ...AUDIENCE, mode: "brief" } },
    `the session's audience has the mode "brief"; use full, minimal, subagent`,
  ],
  [
    "no files",
    { id: "s", audience: AUDIENCE },
    "the session has no list of files; pass files: [] if there are none",
  ],
])("%s", (_what, session, problem) => {
  expect(() => compiled({ session })).toThrow(new IncipitError("bad-input", problem))
})

test.each<[string, unknown, string]>([
  ["no turn", undefined, "the turn is missing"],
  ["a blank id", { ...makeTurn(), id: "" }, "the turn has no id; each turn needs its own"],
  [
    "a Date for now",
    { ...makeTurn(), now: new Date(0) },
    "the turn's now must be a number, milliseconds since 1970, not a Date",
  ],
  [
    "a string for now",
    { ...makeTurn(), now: "noon" },
    `the turn's now must be a number, milliseconds since 1970, not "noon"`,
  ],
  ["no time zone", { id: "t", now: 0 }, 'the turn has no timeZone, such as "Europe/Stockholm"'],
])("%s", (_what, turn, problem) => {
  expect(() => compiled({ turn })).toThrow(new IncipitError("bad-input", problem))
})

test.each<[string, unknown, string]>([
  ["no counter", undefined, "no counter was given"],
  ["a function", (text: string) => text.length, "the counter is a function"],
  ["no prefix", { name: "mine", count: () => 1 }, "the counter isn't an object with name, count and prefix"],
  [
    "a counter that has to wait",
    { ...chars, name: "slow", count: async () => 1 },
    'the counter "slow" gives [object Promise] for "One, two, three.", not a whole number of tokens',
  ],
  [
    "a counter of half tokens",
    { ...chars, name: "half", count: () => 1.5 },
    'the counter "half" gives 1.5 for "One, two, three.", not a whole number of tokens',
  ],
])("%s", (_what, counter, problem) => {
  // As JavaScript would pass it.
  const create = () => createCompiler({ profile, counter: counter as Counter })
  expect(create).toThrow(new IncipitError("bad-counter", problem))
})

describe("attach", () => {
  const tail = { text: "<turn-context>\n</turn-context>\n\n" }

  test.each<[string, unknown, string]>([
    ["a message instead of a list", { role: "user", parts: [] }, "the messages aren't a list"],
    ["a string", ["Hello."], "message 1 isn't an object with a role and parts"],
    [
      "a system message",
      [{ role: "system", parts: [] }],
      'message 1 has the role "system"; use user or assistant',
    ],
    ["a message of an SDK", [{ role: "user", content: "Hello." }], "message 1 has no list of parts"],
    [
      "a part of an SDK",
      [{ role: "user", parts: [{ type: "text", text: "Hello." }] }],
      "message 1 has a part without a kind; use text, reasoning, tool-result, tool-call, native",
    ],
    [
      "a text that is none",
      [{ role: "user", parts: [{ kind: "text", text: 5 }] }],
      'message 1 has a part of the kind "text" whose text isn\'t a string',
    ],
  ])("refuses %s", (_what, messages, problem) => {
    // As JavaScript would pass it.
    expect(() => attach(messages as readonly Message[], tail)).toThrow(
      new IncipitError("bad-messages", problem),
    )
  })

  test("refuses the text of the tail", () => {
    // @ts-expect-error: a string isn't a tail.
    expect(() => attach([], tail.text)).toThrow(
      new IncipitError("bad-messages", "attach takes prompt.tail, not a string"),
    )
  })

  test("refuses the whole prompt", () => {
    const input = { agent: makeAgent(), session: makeSession(), turn: makeTurn() }
    const prompt = compile(profile, input, { counter: chars })
    // @ts-expect-error: a whole prompt isn't a tail.
    expect(() => attach([], prompt)).toThrow(
      new IncipitError("bad-messages", "attach takes prompt.tail, not the prompt"),
    )
  })
})

const OPTIONS: readonly [string, HeadOptions, StepOptions, string][] = [
  // As JavaScript would pass them.
  [
    "a misspelled option",
    { bugdet: 3 } as HeadOptions,
    {},
    'head has no option "bugdet"; did you mean budget?',
  ],
  [
    "an unknown option",
    { model: "x" } as HeadOptions,
    {},
    'head has no option "model"; use budget, ttl, baseline, rebase, tailForm, edits, diagnostics',
  ],
  [
    "a head as baseline",
    { baseline: { blocks: [] } as unknown as Baseline },
    {},
    "the option baseline of head must be the baseline of an earlier head",
  ],
  [
    "a prompt as sent",
    {},
    { sent: { text: "" } as unknown as Sent },
    "the option sent of step must be prompt.sent of the step before",
  ],
  [
    "messages as conversationTokens",
    {},
    { conversationTokens: Number.NaN },
    "the option conversationTokens of step is NaN, but must be a number of tokens",
  ],
  [
    "an option of head",
    {},
    { budget: 3 } as StepOptions,
    'step has no option "budget"; use conversationTokens, sent, edits',
  ],
]

test.each(OPTIONS)("%s", (_what, headOptions, stepOptions, problem) => {
  const compiler = createCompiler({ profile, counter: chars })
  const run = () => compiler.head(makeAgent(), makeSession(), headOptions).step(makeTurn(), stepOptions)
  expect(run).toThrow(new IncipitError("bad-input", problem))
})

test("an input by its name is refused", () => {
  // As JavaScript would pass it.
  const name = "tasks" as unknown as Input<"turn", string>
  const problem = (caller: string) =>
    new IncipitError(
      "bad-input",
      `${caller} takes an input as sessionInput(name, parse) or turnInput(name, parse) returns it`,
    )
  expect(() => readInput(makeTurn(), name)).toThrow(problem("readInput"))
  expect(() => feed(name, "x")).toThrow(problem("feed"))
})

test("the stricter of two requirements is the unknown one", () => {
  const unknown = "privat" as Trust
  expect([mostOf(unknown, "full"), mostOf("full", unknown)]).toEqual([unknown, unknown])
})
