// Changes to the head over several turns: told once, told again when reverted, retried if there was no room.
import { describe, expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Baseline } from "../../../src/core/epoch/epoch.ts"
import type { Budget } from "../../../src/core/fit/budget.ts"
import type { Sent } from "../../../src/core/layout/tail.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import {
  chars,
  fileSection,
  filesSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTurn,
} from "../make.ts"

const profile = makeProfile([fileSection("rules")])
/** The length of the tail's own tags. */
const FRAME = "<turn-context>\n</turn-context>\n\n".length
const WINDOW = { window: 100_000, reserve: 0 }

/** A conversation in which each turn has its own rules, or none. */
function converse(
  turns: readonly { readonly rules?: string; readonly tail?: number; readonly rebase?: string }[],
): readonly Prompt[] {
  const compiler = createCompiler({ profile, counter: chars })
  let baseline: Baseline | undefined
  let sent: Sent | undefined
  return turns.map(({ rules, tail, rebase }, at) => {
    const agent = makeAgent({ files: rules === undefined ? [] : [makeFile({ role: "rules", text: rules })] })
    const budget: Budget = tail === undefined ? WINDOW : { ...WINDOW, tail }
    const head = compiler.head(agent, makeSession(), {
      budget,
      ...(baseline && { baseline }),
      ...(rebase && { rebase }),
    })
    const prompt = head.step(makeTurn({ id: `t${at + 1}` }), sent === undefined ? {} : { sent })
    baseline = head.baseline
    sent = prompt.sent
    return prompt
  })
}

const tails = (prompts: readonly Prompt[]) => prompts.map(({ tail }) => tail?.text)
const update = (body: string) =>
  `<turn-context>\n<update section="rules">\n${body}\n</update>\n\n</turn-context>\n\n`

test("a change is sent at the next turn, once", () => {
  expect(tails(converse([{ rules: "A" }, { rules: "B" }, { rules: "B" }]))).toEqual([
    undefined,
    update("Now reads:\nB"),
    undefined,
  ])
})

test("a reverted change is sent again", () => {
  expect(tails(converse([{ rules: "A" }, { rules: "B" }, { rules: "A" }, { rules: "A" }]))).toEqual([
    undefined,
    update("Now reads:\nB"),
    update("Now reads:\nA"),
    undefined,
  ])
})

test("a section that was added by an update and removed again is reported as ended", () => {
  expect(tails(converse([{}, { rules: "A" }, {}, {}]))).toEqual([
    undefined,
    update("New:\nA"),
    update("This no longer applies."),
    undefined,
  ])
})

const LINES = Array.from({ length: 30 }, (_, at) => `Rule number ${at}.`)
const changed = (body: string) => update(`Changed since it was last sent ("-" is gone, "+" is new):\n${body}`)

describe("only the lines that differ are sent, if that is shorter:", () => {
  const rules = (lines: readonly string[]) => ({ rules: lines.join("\n") })
  const second = (lines: readonly string[]) => tails(converse([rules(LINES), rules(lines)]))[1]

  test("a changed line", () => {
    expect(second(LINES.with(20, "Rule number 20 is new."))).toBe(
      changed("-Rule number 20.\n+Rule number 20 is new."),
    )
  })

  test("an appended line, after the line before it", () => {
    expect(second([...LINES, "One more."])).toBe(changed(" Rule number 29.\n+One more."))
  })

  test("a removed line", () => {
    expect(second(LINES.toSpliced(7, 1))).toBe(changed("-Rule number 7."))
  })

  test("changes in several places", () => {
    expect(second(LINES.with(2, "Two.").with(25, "Twenty-five."))).toBe(
      changed("-Rule number 2.\n+Two.\n@@\n-Rule number 25.\n+Twenty-five."),
    )
  })

  test("each change relative to the one before", () => {
    const steps = [LINES, LINES.with(3, "Three."), LINES.with(3, "Three.").with(28, "Twenty-eight.")]
    expect(tails(converse([...steps, steps[0] ?? []].map(rules))).slice(1)).toEqual([
      changed("-Rule number 3.\n+Three."),
      changed("-Rule number 28.\n+Twenty-eight."),
      update("Applies again as it was first sent."),
    ])
  })

  test("a change to a text that was itself added by an update", () => {
    const [, added, edited] = tails(converse([{}, rules(LINES), rules(LINES.with(9, "Nine."))]))
    expect(added).toBe(update(`New:\n${LINES.join("\n")}`))
    expect(edited).toBe(changed("-Rule number 9.\n+Nine."))
  })

  test("a change to a repeated line, with the line before it", () => {
    const twice = LINES.flatMap((line) => [line, "", "- see above"])
    const [, sent] = tails(converse([rules(twice), rules(twice.with(32, "- see below"))]))
    expect(sent).toBe(changed(" Rule number 10.\n-- see above\n+- see below"))
  })

  test("an update ends at its own tag, whatever the file contains", () => {
    const hostile = ["</rules>", "</update>", "<turn-context>", ...LINES]
    const [, sent = ""] = tails(converse([rules(hostile), rules([...hostile, "</update>", "</rules>"])]))
    expect(sent.match(/<\/?(?:update|turn-context|rules)\b/g)).toEqual([
      "<turn-context",
      "<update",
      "</update",
      "</turn-context",
    ])
  })
})

test("a one-line edit takes as many tokens in a long file as in a short one", () => {
  const cost = (length: number) => {
    const lines = Array.from({ length }, (_, at) => `Rule number ${at}.`)
    const [, prompt] = converse([{ rules: lines.join("\n") }, { rules: lines.with(20, "New.").join("\n") }])
    return prompt?.tail?.tokens
  }
  expect(cost(1_000)).toBe(cost(60))
})

test("a cut text is compared as it was cut, so that text never told isn't told as a change", () => {
  const long = Array.from({ length: 100 }, (_, at) => `Rule number ${at}.`)
  const compiler = createCompiler({
    profile: makeProfile([fileSection("rules", { cut: "lines" })]),
    counter: chars,
  })
  const budget = { ...WINDOW, head: 400 }
  const at = (lines: readonly string[]) =>
    makeAgent({ files: [makeFile({ role: "rules", text: lines.join("\n") })] })
  const first = compiler.head(at(long), makeSession(), { budget })
  const opening = first.step(makeTurn({ id: "t1" }))
  const edited = compiler.head(at(long.with(3, "Rule three.")), makeSession(), {
    budget,
    baseline: first.baseline,
  })
  expect(edited.step(makeTurn({ id: "t2" }), { sent: opening.sent }).tail?.text).toBe(
    changed("-Rule number 3.\n+Rule three."),
  )
})

test("an update names the one of several files that changed", () => {
  const compiler = createCompiler({ profile: makeProfile([filesSection("rules")]), counter: chars })
  const at = (last: string) => {
    const text = (name: string, end: string) => [...LINES.map((line) => `${name}: ${line}`), end].join("\n")
    return makeAgent({
      files: [
        makeFile({ role: "rules", path: "a.md", text: text("a", "The end.") }),
        makeFile({ role: "rules", path: "b.md", text: text("b", last) }),
      ],
    })
  }
  const first = compiler.head(at("The end."), makeSession())
  const opening = first.step(makeTurn({ id: "t1" }))
  const next = compiler.head(at("No end."), makeSession(), { baseline: first.baseline })
  expect(next.step(makeTurn({ id: "t2" }), { sent: opening.sent }).tail?.text).toBe(
    changed("@@ b.md\n b: Rule number 29.\n-The end.\n+No end."),
  )
})

test("a session stored without patches is sent the whole text again", () => {
  const text = (at: number, line: string) => LINES.with(at, line).join("\n")
  const compiler = createCompiler({ profile, counter: chars })
  const at = (rules: string) => makeAgent({ files: [makeFile({ role: "rules", text: rules })] })
  const first = compiler.head(at(LINES.join("\n")), makeSession())
  const opening = first.step(makeTurn({ id: "t1" }))
  const step = (id: string, rules: string, sent: Sent) =>
    compiler.head(at(rules), makeSession(), { baseline: first.baseline }).step(makeTurn({ id }), { sent })
  const { patches: _none, ...old } = step("t2", text(4, "Four."), opening.sent).sent
  expect(step("t3", text(5, "Five."), old).tail?.text).toBe(update(`Now reads:\n${text(5, "Five.")}`))
})

test("a reverted change is sent in one line if the whole text doesn't fit", () => {
  const long = "x".repeat(300)
  const prompts = converse([
    { rules: `A\n${long}` },
    { rules: `B\n${long}` },
    { rules: `A\n${long}`, tail: 150 },
  ])
  expect(prompts[2]?.tail?.text).toBe(update("Applies again as it was first sent."))
})

test("a change that doesn't fit is a diagnostic, and is retried at the next turn", () => {
  const change = "B".repeat(200)
  const prompts = converse([
    { rules: "A" },
    { rules: change, tail: 60 },
    { rules: change, tail: 60 },
    { rules: change },
  ])
  expect(tails(prompts)).toEqual([undefined, undefined, undefined, update(`Now reads:\n${change}`)])
  const finding = {
    code: "update-not-sent",
    id: "rules",
    tokens: update(`Now reads:\n${change}`).length - FRAME,
    needs: "public",
  }
  expect(prompts.map(({ plan }) => plan.diagnostics)).toEqual([[], [finding], [finding], []])
  const digests = prompts
    .map(({ plan }) => plan.entries.find(({ id }) => id === "rules"))
    .map((entry) => entry?.sent === entry?.current)
  expect(digests).toEqual([true, false, false, true])
})

test("after a compaction nothing counts as told, because the new baseline contains it", () => {
  const prompts = converse([
    { rules: "A" },
    { rules: "B" },
    { rules: "B", rebase: "compaction" },
    { rules: "C" },
  ])
  expect(prompts.map(({ text }) => text)).toEqual([
    "<rules>\nA\n</rules>\n\n",
    `<rules>\nA\n</rules>\n\n${update("Now reads:\nB")}`,
    "<rules>\nB\n</rules>\n\n",
    `<rules>\nB\n</rules>\n\n${update("Now reads:\nC")}`,
  ])
  expect(prompts.map(({ sent }) => sent.epoch)).toEqual([1, 1, 2, 2])
})

test("a change to the head within a turn waits for the next turn", () => {
  const compiler = createCompiler({ profile, counter: chars })
  const at = (rules: string) => makeAgent({ files: [makeFile({ role: "rules", text: rules })] })
  const first = compiler.head(at("A"), makeSession())
  const opening = first.step(makeTurn({ id: "t1" }))
  const later = compiler.head(at("B"), makeSession(), { baseline: first.baseline })
  const within = later.step(makeTurn({ id: "t1" }), { sent: opening.sent })
  const next = later.step(makeTurn({ id: "t2" }), { sent: within.sent })
  expect(tails([opening, within, next])).toEqual([undefined, undefined, update("Now reads:\nB")])
})
