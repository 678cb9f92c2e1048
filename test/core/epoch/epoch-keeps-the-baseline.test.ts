// Epochs, seen through heads: which changes keep the baseline, are told, wait or begin a new epoch, and why.
import { describe, expect, test } from "vitest"
import { createCompiler, type Head } from "../../../src/core/compile/compiler.ts"
import type { Agent, Session } from "../../../src/core/model/inputs.ts"
import { fingerprintOf } from "../../../src/core/model/prompt.ts"
import type { SourceFile } from "../../../src/core/model/source.ts"
import {
  chars,
  fileSection,
  filesSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSession,
  makeTool,
  makeTurn,
  sessionSection,
} from "../make.ts"

const profile = makeProfile([
  fileSection("base", { onChange: "wait" }),
  fileSection("rules"),
  filesSection("skills"),
  fileSection("law", { onChange: "rebuild" }),
  filesSection("soul", { onChange: "wait" }),
  sessionSection("room"),
])

const files = (...made: readonly SourceFile[]) => makeAgent({ files: made })
const base = makeFile({ role: "base", text: "Base." })
const rules = makeFile({ role: "rules", text: "Rule 1.\nRule 2." })

interface Input {
  readonly agent?: Agent
  readonly session?: Session
  readonly rebase?: string
}

/** A second head after a first one, made by a fresh compiler as after a restart: only the baseline survives. */
function headsOf(first: Input, second: Input): { readonly before: Head; readonly head: Head } {
  const make = () => createCompiler({ profile, counter: chars })
  const before = make().head(first.agent ?? makeAgent(), first.session ?? makeSession())
  const baseline = JSON.parse(JSON.stringify(before.baseline))
  const rebase = second.rebase === undefined ? {} : { rebase: second.rebase }
  const head = make().head(second.agent ?? makeAgent(), second.session ?? makeSession(), {
    baseline,
    ...rebase,
  })
  return { before, head }
}

const why = ({ started, baseline, changes }: Head) => ({
  started,
  epoch: baseline.epoch,
  reason: baseline.reason,
  changes,
})
const texts = (head: Head) => head.blocks.map(({ text }) => text)
const kept = { started: false, epoch: 1, reason: "the session began" }

test("a session begins with epoch 1", () => {
  const head = createCompiler({ profile, counter: chars }).head(files(base), makeSession())
  expect(why(head)).toEqual({ started: true, epoch: 1, reason: "the session began", changes: [] })
  expect(texts(head)).toEqual(["<base>\nBase.\n</base>\n\n"])
})

test("the same sources keep the baseline, through JSON and a restart", () => {
  const room = makeFile({ role: "room", text: "A room." })
  const input = { agent: files(base, rules), session: makeSession({ files: [room], model: "m" }) }
  const { before, head } = headsOf(input, input)
  expect(why(head)).toEqual({ ...kept, changes: [] })
  expect(head.blocks).toEqual(before.blocks)
  const turn = makeTurn()
  expect(head.step(turn).plan).toEqual(before.step(turn).plan)
  expect(fingerprintOf(head.step(turn))).toBe(fingerprintOf(before.step(turn)))
})

describe("a changed text", () => {
  const changed = (role: string, text: string) => makeFile({ role, text })

  test("with onChange append is sent, and the head keeps its bytes", () => {
    const { before, head } = headsOf(
      { agent: files(base, rules) },
      { agent: files(base, changed("rules", "Rule 1.\nRule 3.")) },
    )
    const rewrites = before.blocks[0]?.tokens
    expect(why(head)).toEqual({
      ...kept,
      changes: [{ id: "rules", why: "changed", how: "append", rewrites }],
    })
    expect(head.blocks).toEqual(before.blocks)
    expect(head.step(makeTurn()).tail?.text).toBe(
      '<turn-context>\n<update section="rules">\nNow reads:\nRule 1.\nRule 3.\n</update>\n\n</turn-context>\n\n',
    )
  })

  test("with onChange wait waits", () => {
    const { before, head } = headsOf(
      { agent: files(base, rules) },
      { agent: files(changed("base", "New."), rules) },
    )
    const rewrites = before.blocks[0]?.tokens
    expect(why(head)).toEqual({ ...kept, changes: [{ id: "base", why: "changed", how: "wait", rewrites }] })
    expect(head.blocks).toEqual(before.blocks)
    expect(head.step(makeTurn()).tail).toBeUndefined()
  })

  test("with onChange rebuild begins an epoch", () => {
    const { head } = headsOf(
      { agent: files(base, changed("law", "Old.")) },
      { agent: files(base, changed("law", "New.")) },
    )
    expect(why(head)).toEqual({ started: true, epoch: 2, reason: "law was changed", changes: [] })
    expect(texts(head)).toEqual(["<base>\nBase.\n</base>\n\n<law>\nNew.\n</law>\n\n"])
  })

  test("has different sent and current digests until it is sent", () => {
    const { before, head } = headsOf(
      { agent: files(base, rules) },
      { agent: files(changed("base", "New."), changed("rules", "Rule 3.")) },
    )
    const was = before.step(makeTurn()).plan.entries
    const is = head.step(makeTurn()).plan.entries
    const digests = (entries: typeof was, id: string) =>
      entries.filter((entry) => entry.id === id).map(({ sent, current }) => ({ sent, current }))
    const [oldBase] = digests(was, "base")
    const [newBase] = digests(is, "base")
    const [oldRules] = digests(was, "rules")
    const [newRules] = digests(is, "rules")
    expect(oldBase?.sent).toBe(oldBase?.current)
    expect(newBase).toEqual({ sent: oldBase?.sent, current: newBase?.current })
    expect(newBase?.current).not.toBe(oldBase?.current)
    expect(newRules).toEqual({ sent: newRules?.current, current: newRules?.current })
    expect(newRules?.current).not.toBe(oldRules?.current)
  })
})

describe("an added text", () => {
  test("is sent as new", () => {
    const { head } = headsOf({ agent: files(base) }, { agent: files(base, rules) })
    expect(why(head)).toMatchObject({ ...kept, changes: [{ id: "rules", why: "added", how: "append" }] })
    expect(head.step(makeTurn()).tail?.text).toBe(
      '<turn-context>\n<update section="rules">\nNew:\nRule 1.\nRule 2.\n</update>\n\n</turn-context>\n\n',
    )
  })
})

describe("removed or hidden text begins an epoch immediately", () => {
  const skill = (name: string, facts: Partial<SourceFile> = {}) =>
    makeFile({ role: "skills", path: `${name}.md`, text: name, ...facts })
  const soul = (name: string, facts: Partial<SourceFile> = {}) =>
    makeFile({ role: "soul", path: `${name}.md`, text: name, ...facts })
  const familiar = makeSession({ audience: { trust: "familiar" } })

  test("a removed section", () => {
    const { head } = headsOf({ agent: files(base, rules) }, { agent: files(base) })
    expect(why(head)).toEqual({ started: true, epoch: 2, reason: "rules was removed", changes: [] })
    expect(texts(head)).toEqual(["<base>\nBase.\n</base>\n\n"])
  })

  test("a section whose trust rose above the audience's", () => {
    const { head } = headsOf(
      { agent: files(base, rules), session: familiar },
      { agent: files(base, { ...rules, trust: "inner" }), session: familiar },
    )
    expect(why(head)).toEqual({ started: true, epoch: 2, reason: "rules was removed", changes: [] })
    expect(texts(head)).toEqual(["<base>\nBase.\n</base>\n\n"])
  })

  test("a removed file of a section with several files", () => {
    const { head } = headsOf({ agent: files(skill("one"), skill("two")) }, { agent: files(skill("one")) })
    expect([head.started, texts(head)]).toEqual([true, ["<skills>\none\n</skills>\n\n"]])
  })

  test("a file of a section with several files, when its trust rises", () => {
    const { head } = headsOf(
      { agent: files(skill("one"), skill("two")), session: familiar },
      { agent: files(skill("one"), skill("two", { trust: "full" })), session: familiar },
    )
    expect([head.started, texts(head)]).toEqual([true, ["<skills>\none\n</skills>\n\n"]])
  })

  test("a removed file of a section with onChange wait", () => {
    const { head } = headsOf(
      { agent: files(soul("one"), soul("two")), session: familiar },
      { agent: files(soul("one"), soul("two", { trust: "full" })), session: familiar },
    )
    expect([head.started, texts(head)]).toEqual([true, ["<soul>\none\n</soul>\n\n"]])
  })
})

describe("inputs of the head", () => {
  const agent = files(base)
  test.each<[string, Input, Input, string]>([
    ["tools", { agent }, { agent: { ...agent, tools: [makeTool("read")] } }, "the tools changed"],
    [
      "model",
      { agent, session: makeSession({ model: "a" }) },
      { agent, session: makeSession({ model: "b" }) },
      "the model changed",
    ],
    [
      "trust",
      { agent },
      { agent, session: makeSession({ audience: { trust: "inner" } }) },
      "the audience changed",
    ],
    [
      "situation",
      { agent },
      { agent, session: makeSession({ audience: { situation: "group" } }) },
      "the audience changed",
    ],
    [
      "mode",
      { agent },
      { agent, session: makeSession({ audience: { mode: "subagent" } }) },
      "the audience changed",
    ],
    ["compaction", { agent }, { agent, rebase: "compaction" }, "compaction"],
  ])("%s: a change begins an epoch", (_what, first, second, reason) => {
    expect(why(headsOf(first, second).head)).toEqual({ started: true, epoch: 2, reason, changes: [] })
  })

  test.each([
    ["message", "system", "the model now gets turn context as system messages"],
    [undefined, "system", "the model now gets turn context as system messages"],
    ["system", "message", "the model no longer gets turn context as system messages"],
    ["system", "system", "the session began"],
    [undefined, "message", "the session began"],
    ["system", undefined, "the session began"],
  ] as const)("tails that were sent as %s and are sent as %s: %s", (first, second, reason) => {
    const make = (tailForm: typeof first | typeof second, baseline?: Head["baseline"]) =>
      createCompiler({ profile, counter: chars }).head(agent, makeSession(), {
        ...(tailForm && { tailForm }),
        ...(baseline && { baseline }),
      })
    expect(make(second, make(first).baseline).baseline.reason).toBe(reason)
  })

  test("a tool that the audience may not call is not a change", () => {
    const session = makeSession({ audience: { trust: "public" } })
    const { head } = headsOf(
      { agent, session },
      { agent: { ...agent, tools: [makeTool("shell", { trust: "full" })] }, session },
    )
    expect(why(head)).toEqual({ ...kept, changes: [] })
  })

  test("the order in which tools are registered is not a change", () => {
    const [read, write] = [makeTool("read"), makeTool("write")]
    const { head } = headsOf(
      { agent: { ...agent, tools: [read, write] } },
      { agent: { ...agent, tools: [write, read] } },
    )
    expect(why(head)).toEqual({ ...kept, changes: [] })
  })

  test("epochs keep counting up", () => {
    const compiler = createCompiler({ profile, counter: chars })
    const epochs = [1, 2, 3]
    let head = compiler.head(agent, makeSession())
    for (const epoch of epochs) {
      expect(head.baseline.epoch).toBe(epoch)
      head = compiler.head(agent, makeSession(), { baseline: head.baseline, rebase: "reload" })
    }
  })
})

describe("an unavailable source", () => {
  const gone = (file: SourceFile) => ({ ...file, text: "", unavailable: "EACCES" })
  const skill = (name: string) => makeFile({ role: "skills", path: `${name}.md`, text: name })

  test("keeps its last text and begins no epoch", () => {
    const { before, head } = headsOf({ agent: files(base, rules) }, { agent: files(base, gone(rules)) })
    const rewrites = before.blocks[0]?.tokens
    expect(why(head)).toEqual({
      ...kept,
      changes: [{ id: "rules", why: "unavailable", how: "wait", rewrites }],
    })
    expect(head.blocks).toEqual(before.blocks)
    const prompt = head.step(makeTurn())
    expect(prompt.tail).toBeUndefined()
    expect(prompt.plan.diagnostics).toEqual([
      { code: "source-unavailable", path: "RULES.md", reason: "EACCES", needs: "public" },
    ])
  })

  test("among several files is not taken back either", () => {
    const { before, head } = headsOf(
      { agent: files(skill("one"), skill("two")) },
      { agent: files(skill("one"), gone(skill("two"))) },
    )
    expect([head.started, head.blocks, head.step(makeTurn()).tail]).toEqual([false, before.blocks, undefined])
  })

  test("at the start of a session is absent, with the reason", () => {
    const head = createCompiler({ profile, counter: chars }).head(files(gone(rules)), makeSession())
    const [, entry] = head.step(makeTurn()).plan.entries
    expect([entry?.id, entry?.outcome]).toEqual([
      "rules",
      { kind: "unused", why: { kind: "unavailable", path: "RULES.md", problem: "EACCES" } },
    ])
  })
})
