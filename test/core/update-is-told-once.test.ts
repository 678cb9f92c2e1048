// Changes to the head over several turns: told once, taken back when they are reverted, tried again if there was no room.
import { expect, test } from "vitest"
import type { Budget } from "../../src/core/budget.ts"
import { createCompiler } from "../../src/core/compiler.ts"
import type { Baseline } from "../../src/core/epoch.ts"
import type { Prompt } from "../../src/core/prompt.ts"
import type { Told } from "../../src/core/tail.ts"
import { chars, fileSection, makeAgent, makeFile, makeProfile, makeSession, makeTurn } from "./make.ts"

const profile = makeProfile([fileSection("rules")])
/** The length of the tail's own tags. */
const FRAME = "<turn-context>\n</turn-context>\n\n".length
const WINDOW = { window: 100_000, reserve: 0 }

/** A conversation: each turn sees the rules as they stand then, or none. */
function converse(
  turns: readonly { readonly rules?: string; readonly tail?: number; readonly rebase?: string }[],
): readonly Prompt[] {
  const compiler = createCompiler({ profile, counter: chars })
  let baseline: Baseline | undefined
  let told: Told | undefined
  return turns.map(({ rules, tail, rebase }, at) => {
    const agent = makeAgent({ files: rules === undefined ? [] : [makeFile({ role: "rules", text: rules })] })
    const budget: Budget = tail === undefined ? WINDOW : { ...WINDOW, tail }
    const head = compiler.head(agent, makeSession(), {
      budget,
      ...(baseline && { baseline }),
      ...(rebase && { rebase }),
    })
    const prompt = head.step(makeTurn({ id: `t${at + 1}` }), told === undefined ? {} : { told })
    baseline = head.baseline
    told = prompt.told
    return prompt
  })
}

const tails = (prompts: readonly Prompt[]) => prompts.map(({ tail }) => tail?.text)
const update = (body: string) =>
  `<turn-context>\n<update section="rules">\n${body}\n</update>\n\n</turn-context>\n\n`

test("a change is told at the next turn, once", () => {
  expect(tails(converse([{ rules: "A" }, { rules: "B" }, { rules: "B" }]))).toEqual([
    undefined,
    update("Now reads:\nB"),
    undefined,
  ])
})

test("a change that is taken back is told again", () => {
  expect(tails(converse([{ rules: "A" }, { rules: "B" }, { rules: "A" }, { rules: "A" }]))).toEqual([
    undefined,
    update("Now reads:\nB"),
    update("Now reads:\nA"),
    undefined,
  ])
})

test("a section that came by an update and went again is said to be over", () => {
  expect(tails(converse([{}, { rules: "A" }, {}, {}]))).toEqual([
    undefined,
    update("New:\nA"),
    update("This no longer applies."),
    undefined,
  ])
})

test("only the lines that differ are told, if the whole does not fit", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `Rule number ${at}.`)
  const changed = lines.with(20, "Rule number 20 is new.")
  const [, prompt] = converse([{ rules: lines.join("\n") }, { rules: changed.join("\n"), tail: 200 }])
  expect(prompt?.tail?.text).toBe(
    update("As first told, but instead of:\nRule number 20.\nit now says:\nRule number 20 is new."),
  )
})

test("what is taken back is said in a line, if the whole does not fit", () => {
  const long = "x".repeat(300)
  const prompts = converse([
    { rules: `A\n${long}` },
    { rules: `B\n${long}` },
    { rules: `A\n${long}`, tail: 150 },
  ])
  expect(prompts[2]?.tail?.text).toBe(update("Applies again as it was first told."))
})

test("a change that does not fit is a finding, and is tried again at the next turn", () => {
  const change = "B".repeat(200)
  const prompts = converse([
    { rules: "A" },
    { rules: change, tail: 60 },
    { rules: change, tail: 60 },
    { rules: change },
  ])
  expect(tails(prompts)).toEqual([undefined, undefined, undefined, update(`Now reads:\n${change}`)])
  const finding = {
    code: "update-not-told",
    id: "rules",
    tokens: update(`Now reads:\n${change}`).length - FRAME,
    needs: "public",
  }
  expect(prompts.map(({ plan }) => plan.diagnostics)).toEqual([[], [finding], [finding], []])
  const digests = prompts
    .map(({ plan }) => plan.entries.find(({ id }) => id === "rules"))
    .map((entry) => entry?.told === entry?.current)
  expect(digests).toEqual([true, false, false, true])
})

test("after a compaction nothing has been told: the new baseline says it", () => {
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
  expect(prompts.map(({ told }) => told.epoch)).toEqual([1, 1, 2, 2])
})

test("within a turn a change of the head waits for the next", () => {
  const compiler = createCompiler({ profile, counter: chars })
  const at = (rules: string) => makeAgent({ files: [makeFile({ role: "rules", text: rules })] })
  const first = compiler.head(at("A"), makeSession())
  const opening = first.step(makeTurn({ id: "t1" }))
  const later = compiler.head(at("B"), makeSession(), { baseline: first.baseline })
  const within = later.step(makeTurn({ id: "t1" }), { told: opening.told })
  const next = later.step(makeTurn({ id: "t2" }), { told: within.told })
  expect(tails([opening, within, next])).toEqual([undefined, undefined, update("Now reads:\nB")])
})
