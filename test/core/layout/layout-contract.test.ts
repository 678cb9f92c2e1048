// What every layout promises, whatever its order: each layout goes through the same assertions, on generated profiles,
// sources, budgets and edits. Promises that only one of them makes are listed with it.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { atLeast } from "../../../src/base/trust.ts"
import { createCompiler, type Head } from "../../../src/core/compile/compiler.ts"
import { layoutOf } from "../../../src/core/layout/layouts.ts"
import { targetOf } from "../../../src/core/model/edit.ts"
import type { Profile } from "../../../src/core/model/profile.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import { report } from "../../../src/core/read/report.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import * as generate from "../generate.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTurn,
  turnSection,
} from "../make.ts"

const ORDERS = ["paced", "declared"] as const satisfies readonly Profile["order"][]
const RUNS = { seed: 20_26, numRuns: 80 }

test("each order has a layout of its own", () => {
  expect(new Set(ORDERS.map((order) => layoutOf({ order }))).size).toBe(ORDERS.length)
})

test("no other file asks which order a profile has", () => {
  const files = ["core", "render", "agent", "cli"].flatMap((folder) =>
    readdirSync(join("src", folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join("src", folder, name)),
  )
  const asking = files.filter((file) => /[!=]== "(?:paced|declared)"/.test(readFileSync(file, "utf8")))
  expect(asking).toEqual([join("src", "core", "layout", "layouts.ts")])
})

describe.each(ORDERS)("the %s layout", (order) => {
  const head = ({ profile, agent, session, budget, edits }: generate.Situation): Head =>
    createCompiler({ profile: { ...profile, order }, counter: o200k }).head(agent, session, { budget, edits })
  const compile = (situation: generate.Situation): Prompt =>
    head(situation).step(situation.turn, {
      conversationTokens: situation.conversationTokens,
      edits: situation.turnEdits,
    })
  const all = (check: (situation: generate.Situation) => void) =>
    fc.assert(fc.property(generate.situation, check), RUNS)

  test("lists each section and each edit once", () => {
    all((situation) => {
      const { profile, edits, turnEdits } = situation
      const made = [...edits.stable, ...edits.session, ...turnEdits]
      const { entries } = compile(situation).plan
      const ids = entries.flatMap(({ kind, id }) => (kind === "section" ? [id] : []))
      const own = profile.sections.map(({ id }) => id)
      const added = made.flatMap((edit) => (edit.kind === "add" ? [targetOf(edit)] : []))
      expect(new Set(ids).size).toBe(ids.length)
      expect(own.filter((id) => !ids.includes(id))).toEqual([])
      expect(ids.filter((id) => !own.includes(id) && !added.includes(id))).toEqual([])
      expect(entries.filter(({ kind }) => kind === "edit").length).toBe(made.length)
    })
  })

  test("gives every character one owner, and counts every token once", () => {
    all((situation) => {
      const { plan, head: blocks, tail, text } = compile(situation)
      expect(plan.blocks).toEqual(tail === undefined ? blocks : [...blocks, tail])
      expect(text).toBe(plan.blocks.map((block) => block.text).join(""))
      const spans = plan.entries.flatMap((entry) => entry.spans)
      for (const [at, block] of plan.blocks.entries()) {
        const own = spans.filter((span) => span.block === at).toSorted((a, b) => a.start - b.start)
        expect(own.map(({ start }) => start)).toEqual([0, ...own.slice(0, -1).map(({ end }) => end)])
        expect(own.at(-1)?.end).toBe(block.text.length)
      }
      const listed = plan.entries.flatMap(({ kind, tokens }) => (kind === "tool" ? [] : [tokens]))
      expect(listed.reduce((sum, tokens) => sum + tokens, 0)).toBe(o200k.count(text))
    })
  })

  test("contains nothing above the audience's trust", () => {
    all((situation) => {
      const { entries } = compile(situation).plan
      const above = entries.filter(
        ({ spans, trust }) => spans.length > 0 && !atLeast(situation.session.audience.trust, trust),
      )
      expect(above).toEqual([])
    })
  })

  test("stays within its limits, or says that required text does not", () => {
    all((situation) => {
      const { budget, diagnostics } = compile(situation).plan
      for (const part of ["head", "tail"] as const) {
        const isOver = budget[part].used > budget[part].limit
        const isReported = diagnostics.some(
          (found) => found.code === "required-over-budget" && found.fit === part,
        )
        expect(isOver && !isReported).toBe(false)
      }
    })
  })

  test("gives the same prompt for the same input, and the same object within a turn", () => {
    all((situation) => {
      const one = head(situation)
      expect(report(compile(situation))).toEqual(report(compile(situation)))
      expect(one.step(situation.turn)).toBe(one.step(situation.turn))
    })
  })

  test("has no more in the prompt when text is removed than before", () => {
    const profile = makeProfile([fileSection("soul"), turnSection("clock")], { order })
    const agent = makeAgent({ files: [makeFile({ role: "soul", text: "Soul." })] })
    const compiler = createCompiler({ profile, counter: chars })
    const turn = makeTurn({ inputs: { clock: "12:00" } })
    const before = compiler.head(agent, makeSession())
    const after = compiler.head(makeAgent(), makeSession(), { baseline: before.baseline })
    expect(before.step(turn).text).toContain("Soul.")
    expect(after.step(turn).text).not.toContain("Soul.")
  })
})

test("only the paced layout keeps its head from turn to turn; the declared one has no tail to put a change in", () => {
  fc.assert(
    fc.property(generate.situation, generate.turn, ({ profile, agent, session, budget }, next) => {
      const compiler = (order: "paced" | "declared") =>
        createCompiler({ profile: { ...profile, order }, counter: o200k }).head(agent, session, { budget })
      const paced = compiler("paced")
      expect(paced.step(next).head).toBe(paced.blocks)
      const declared = compiler("declared")
      expect([declared.blocks, declared.step(next).tail]).toEqual([[], undefined])
    }),
    RUNS,
  )
})
