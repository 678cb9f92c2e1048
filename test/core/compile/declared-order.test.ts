// A profile in declared order: everything is head, in order; the cost is reported; edits apply directly.
import { describe, expect, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { StepOptions } from "../../../src/core/epoch/step.ts"
import type { Edit } from "../../../src/core/model/edit.ts"
import { headings } from "../../../src/core/write/markup.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSection,
  makeSession,
  makeTurn,
  sessionSection,
  turnSection,
} from "../make.ts"

const profile = makeProfile(
  [sessionSection("room"), turnSection("clock"), fileSection("soul"), turnSection("git")],
  { order: "declared" },
)
const agent = makeAgent({ files: [makeFile({ role: "soul", text: "Soul." })] })
const session = makeSession({ files: [makeFile({ role: "room", text: "Room." })] })
const turn = makeTurn({ inputs: { clock: "12:00", git: "main" } })
const compiler = () => createCompiler({ profile, counter: chars })
const step = (options: StepOptions = {}) => compiler().head(agent, session).step(turn, options)

const room = "<room>\nRoom.\n</room>\n\n"
const clock = "<clock>\n12:00\n</clock>\n\n"
const soul = "<soul>\nSoul.\n</soul>\n\n"
const git = "<git>\nmain\n</git>\n\n"

test("a budget in one number is all for the head, because there is no tail", () => {
  const { plan } = compiler().head(agent, session, { budget: 100 }).step(turn)
  expect(plan.budget.head).toEqual({ limit: 100, used: (room + clock + soul + git).length })
})

describe("the layout", () => {
  test("is the profile's, all of it head, with the cached block ending before the first turn text", () => {
    const prompt = step()
    expect(prompt.text).toBe(room + clock + soul + git)
    expect(prompt.tail).toBeUndefined()
    expect(prompt.head).toEqual([
      { placement: "head", pace: "session", text: room, tokens: room.length, breakpoint: { ttl: "5m" } },
      {
        placement: "head",
        pace: "turn",
        text: clock + soul + git,
        tokens: (clock + soul + git).length,
        breakpoint: undefined,
      },
    ])
    expect(prompt.plan.entries.map(({ id, outcome }) => [id, outcome.kind])).toEqual([
      ["room", "included"],
      ["clock", "included"],
      ["soul", "included"],
      ["git", "included"],
    ])
  })

  test("reports the first turn text, and how many tokens every turn writes again", () => {
    const tokens = (clock + soul + git).length
    expect(step().plan.diagnostics).toEqual([
      { code: "moving-text", id: "clock", block: 1, offset: 0, tokens },
    ])
  })

  test("reports nothing without turn text", () => {
    const prompt = compiler().head(agent, session).step(makeTurn())
    expect([prompt.text, prompt.plan.diagnostics]).toEqual([room + soul, []])
  })

  test("puts a section's lead before it, unless the section is the first", () => {
    const led = makeProfile([sessionSection("room", { lead: "+" }), turnSection("clock", { lead: "--" })], {
      order: "declared",
    })
    const prompt = createCompiler({ profile: led, counter: chars }).head(agent, session).step(turn)
    expect(prompt.text).toBe(`${room}--${clock}`)
    const alone = createCompiler({ profile: led, counter: chars }).head(agent, makeSession()).step(turn)
    expect([alone.text, alone.plan.entries[1]?.spans[0]?.start]).toEqual([clock, 0])
  })

  test("counts whole blocks if the markup isn't additive", () => {
    const markup = { ...headings(2), additive: false, envelope: () => ({ open: "", close: " " }) }
    const words = makeProfile([fileSection("soul"), turnSection("clock"), turnSection("git")], {
      order: "declared",
      markup,
    })
    const prompt = createCompiler({ profile: words, counter: o200k }).head(agent, session).step(turn)
    expect(prompt.head.map(({ text, tokens }) => [text, tokens])).toEqual([
      ["Soul. ", o200k.count("Soul. ")],
      ["12:00 main ", o200k.count("12:00 main ")],
    ])
    expect(prompt.plan.diagnostics).toEqual([
      { code: "moving-text", id: "clock", block: 1, offset: 0, tokens: o200k.count("12:00 main ") },
    ])
  })
})

describe("edits", () => {
  const content = { parts: [{ text: "New." }] }

  test("of a turn change their target directly, however slow the text", () => {
    const edits: readonly Edit[] = [
      { kind: "replace", by: "hook", id: "soul", content },
      { kind: "remove", by: "hook", id: "room" },
      { kind: "add", by: "hook", section: makeSection("tip", "Tip."), after: "clock" },
    ]
    const prompt = step({ edits })
    expect(prompt.text).toBe(`${clock}<tip>\nTip.\n</tip>\n\n<soul>\nNew.\n</soul>\n\n${git}`)
    expect(prompt.plan.diagnostics.map(({ code }) => code)).toEqual(["moving-text"])
    expect(prompt.plan.entries.find(({ id }) => id === "room")?.outcome).toEqual({
      kind: "unused",
      why: { kind: "removed", by: "hook" },
    })
  })

  test("of a session add sections after their target too", () => {
    const section = makeSection("tip", "Tip.", { pace: "session" })
    const edits = { session: [{ kind: "add", by: "hook", section, after: "room" } as const] }
    const prompt = compiler().head(agent, session, { edits }).step(turn)
    expect(prompt.text).toBe(`${room}<tip>\nTip.\n</tip>\n\n${clock}${soul}${git}`)
  })
})

describe("epochs", () => {
  const lawful = makeProfile([fileSection("soul", { onChange: "rebuild" }), turnSection("clock")], {
    order: "declared",
  })

  test("continue while nothing changes", () => {
    const first = createCompiler({ profile: lawful, counter: chars }).head(agent, session)
    const again = createCompiler({ profile: lawful, counter: chars }).head(agent, session, {
      baseline: first.baseline,
    })
    expect([again.started, again.baseline.epoch, again.changes]).toEqual([false, 1, []])
  })
})

test("diagnostics of turn sections are in the plan, and each hidden source is listed once", () => {
  const finding = { code: "unknown-placeholder", path: "X.md", line: 1, name: "NOPE" } as const
  const noisy = turnSection("clock", {
    build: () => ({ parts: [{ text: "12:00" }], diagnostics: [finding] }),
  })
  const parts = [{ text: "open" }, { text: "secret", trust: "full" as const }]
  const sections = [fileSection("soul", { build: () => ({ parts }) }), noisy]
  const { plan } = createCompiler({ profile: makeProfile(sections, { order: "declared" }), counter: chars })
    .head(agent, makeSession({ audience: { trust: "public" } }))
    .step(turn)
  expect(plan.diagnostics.map(({ code }) => code).toSorted()).toEqual(["moving-text", "unknown-placeholder"])
  expect(plan.hidden).toEqual([{ role: "soul", path: "soul", identity: "soul", why: "trust", needs: "full" }])
})
