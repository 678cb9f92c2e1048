// A section's `build` is code of the profile's author. Whatever it returns or throws, the error names the section.
import { describe, expect, test } from "vitest"
import { IncipitError } from "../../../src/base/error.ts"
import { compile } from "../../../src/core/compile/compiler.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import type { AnySectionSpec } from "../../../src/core/model/section.ts"
import { chars, makeAgent, makeProfile, makeSession, makeTurn } from "../make.ts"

const PACES = ["stable", "session", "turn"] as const

function compiled(pace: (typeof PACES)[number], build: () => unknown): Prompt {
  // As JavaScript would pass it.
  const spec = { id: "tasks", pace, build } as AnySectionSpec
  const input = { agent: makeAgent(), session: makeSession(), turn: makeTurn() }
  return compile(makeProfile([spec], { name: "mine" }), input, { counter: chars })
}

const INSTEAD = "`build` must return a string, a content with parts, or undefined to leave the section out"
const TRUSTS = "public, familiar, inner, full"

describe.each(PACES)("a %s section", (pace) => {
  test.each<[string, unknown, string]>([
    [
      "a promise",
      Promise.resolve("text"),
      "a promise, but `build` cannot wait: load the text first and pass it in as an input",
    ],
    ["a number", 42, `the number 42; ${INSTEAD}`],
    ["false", false, `false; ${INSTEAD}`],
    ["null", null, `null; ${INSTEAD}`],
    ["a function", () => "text", `a function; ${INSTEAD}`],
    ["an array", ["text"], `an array; ${INSTEAD}`],
    ["an object", { text: "text" }, `an object without a list of parts; ${INSTEAD}`],
    ["one part", { parts: { text: "x" } }, `an object without a list of parts; ${INSTEAD}`],
    ["strings as parts", { parts: ["x"] }, 'a content whose part 1 is a string; a part is { text: "…" }'],
    [
      "a part without text",
      { parts: [{ text: "x" }, { txt: "y" }] },
      'a content whose part 2 has no text; a part is { text: "…" }',
    ],
    [
      "a part with a misspelled trust",
      { parts: [{ text: "x", trust: "freinds" }] },
      `a content whose part 1 has the trust "freinds"; use ${TRUSTS}`,
    ],
    ["a bad shorter form", { parts: [{ text: "x" }], shorter: ["x"] }, `a string; ${INSTEAD}`],
    [
      "a shorter form that is no list",
      { parts: [{ text: "x" }], shorter: { parts: [] } },
      "a content whose `shorter` isn't a list of contents",
    ],
  ])("that returns %s", (_what, value, problem) => {
    expect(() => compiled(pace, () => value)).toThrow(
      new IncipitError("section-failed", `the section "tasks" of the profile "mine" returned ${problem}`),
    )
  })

  test("that throws: the cause is kept", () => {
    const cause = new TypeError("tasks is not iterable\nmore")
    const build = () => {
      throw cause
    }
    expect(() => compiled(pace, build)).toThrow(
      new IncipitError(
        "section-failed",
        'the section "tasks" of the profile "mine" failed: tasks is not iterable',
        { cause },
      ),
    )
  })

  test.each([
    ["undefined", undefined],
    ["a blank string", " \n"],
  ])("that returns %s is left out", (_what, value) => {
    expect(compiled(pace, () => value).plan.entries[0]?.outcome).toEqual({
      kind: "unused",
      why: { kind: "built-nothing" },
    })
  })

  test("that returns a string is the same as one that returns its content", () => {
    const text = "Feed <the cat>.\n\nThen </tasks> the dog.\n"
    expect(compiled(pace, () => text)).toEqual(compiled(pace, () => ({ parts: [{ text }] })))
  })

  test("without priority, trust and cut has the defaults", () => {
    const { plan } = compiled(pace, () => "x")
    const { priority, trust } = plan.entries[0] ?? {}
    expect([priority, trust]).toEqual(["medium", "public"])
  })
})

test("consoles print what to do next", () => {
  expect({ ...new IncipitError("section-failed", "x") }).toEqual({
    code: "section-failed",
    name: "IncipitError",
    help: "Fix the function that makes its text. It only gets inputs that change no faster than the section: docs/guide/own-loop.md for `perSession` and `perTurn`, docs/guide/profiles.md for `build`.",
  })
})

test("a section without a cut keeps whole lines", () => {
  const spec: AnySectionSpec = { id: "a", pace: "stable", build: () => "a line of text\n".repeat(20) }
  const input = { agent: makeAgent(), session: makeSession(), turn: makeTurn() }
  const budget = { head: 160 }
  const cut = compile(makeProfile([spec]), input, { counter: chars, budget })
  const same = compile(makeProfile([{ ...spec, cut: "lines" }]), input, { counter: chars, budget })
  expect(cut.plan.entries[0]?.outcome.kind).toBe("truncated")
  expect(cut).toEqual(same)
})
