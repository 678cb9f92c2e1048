// Edits: what each kind does, who is recorded as the author, and how edits of slower text become updates.
import { describe, expect, test } from "vitest"
import type { Pace } from "../../../src/base/pace.ts"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Sent } from "../../../src/core/layout/tail.ts"
import type { Content } from "../../../src/core/model/content.ts"
import { applyEdits, type Edit, editFromWhole } from "../../../src/core/model/edit.ts"
import { prefixOf } from "../../../src/core/model/prompt.ts"
import type { Section } from "../../../src/core/model/section.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSection,
  makeSession,
  makeTurn,
} from "../make.ts"

const from = { kind: "edit", by: "hook" } as const
const text = (value: string): Content => ({ parts: [{ text: value }] })
const built = (id: string, pace: Pace = "turn"): Section => makeSection(id, `${id}.`, { pace })

/** Applies edits to the turn sections a and b. */
const apply = (...edits: readonly Edit[]) =>
  applyEdits([built("a"), built("b")], edits, {
    pace: "turn",
    slower: [makeSection("slow", "Slow.", { pace: "stable", trust: "inner" })],
  })
const contents = (sections: readonly Section[]) =>
  sections.map(({ id, content, by = [] }) => [id, content?.parts, by])

describe("add", () => {
  const section = makeSection("new", "New.", { pace: "turn" })
  const signed = ["new", [{ text: "New.", from }], ["hook"]]
  const a = ["a", [{ text: "a." }], []]
  const b = ["b", [{ text: "b." }], []]

  test("puts a section at the end, or after another", () => {
    expect(contents(apply({ kind: "add", by: "hook", section }).sections)).toEqual([a, b, signed])
    expect(contents(apply({ kind: "add", by: "hook", section, after: "a" }).sections)).toEqual([a, signed, b])
    expect(contents(apply({ kind: "add", by: "hook", section, after: "nowhere" }).sections)).toEqual([
      a,
      b,
      signed,
    ])
  })

  test("never makes text slower than the edit", () => {
    const slow = makeSection("new", "New.", { pace: "stable" })
    expect(apply({ kind: "add", by: "hook", section: slow }).sections.at(-1)?.pace).toBe("turn")
  })

  test("records its own author, whatever the hook says", () => {
    const forged: Section = { ...section, by: ["someone else"], isRemoved: true }
    const added = apply({ kind: "add", by: "hook", section: forged }).sections.at(-1)
    expect([added?.by, added?.isRemoved]).toEqual([["hook"], undefined])
  })

  test.each(["a", "slow"])("leaves the section %s alone if it already exists", (id) => {
    const edit: Edit = { kind: "add", by: "hook", section: makeSection(id, "Mine.") }
    expect(apply(edit)).toEqual({
      sections: [built("a"), built("b")],
      results: [{ edit, outcome: { kind: "unused", why: { kind: "refused-edit", code: "edit-id-taken" } } }],
      diagnostics: [{ code: "edit-id-taken", by: "hook", id }],
    })
  })

  test("keeps existing provenance, and gives the other text the edit's trust", () => {
    const bundled = { kind: "bundled", name: "x" } as const
    const content = {
      parts: [{ text: "1", from: bundled }, { text: "2", trust: "full" as const }, { slot: "s" }],
      shorter: [text("3")],
    }
    const edit: Edit = { kind: "add", by: "hook", trust: "inner", section: { ...section, content } }
    expect(apply(edit).sections.at(-1)?.content).toEqual({
      parts: [
        { text: "1", from: bundled, trust: "inner" },
        { text: "2", from, trust: "full" },
        { slot: "s" },
      ],
      shorter: [{ parts: [{ text: "3", from, trust: "inner" }] }],
    })
  })

  test("reports an invalid id", () => {
    const applied = ["a b", "update", "Turn-Context"].map((id) =>
      apply({ kind: "add", by: "hook", section: makeSection(id, "stable") }),
    )
    expect(applied.map(({ diagnostics }) => diagnostics)).toEqual(
      ["a b", "update", "Turn-Context"].map((id) => [{ code: "edit-bad-id", by: "hook", id }]),
    )
  })
})

describe("replace, wrap and remove", () => {
  test("replace swaps the text", () => {
    expect(
      contents(apply({ kind: "replace", by: "hook", id: "a", content: text("Other.") }).sections)[0],
    ).toEqual(["a", [{ text: "Other.", from }], ["hook"]])
  })

  test("wrap puts text around it, and every added byte has its author", () => {
    const edit: Edit = { kind: "wrap", by: "hook", id: "a", before: text("Before."), after: text("After.") }
    expect(contents(apply(edit).sections)[0]).toEqual([
      "a",
      [
        { text: "Before.", from },
        { text: "\n\n", from },
        { text: "a." },
        { text: "\n\n", from },
        { text: "After.", from },
      ],
      ["hook"],
    ])
  })

  test("wrap also applies to shorter forms, and does nothing without content", () => {
    const content = { parts: [{ text: "long" }], shorter: [text("short")] }
    const sections = [
      { ...makeSection("a", ""), content },
      { ...makeSection("b", ""), content: undefined },
    ]
    const wrap = (id: string): Edit => ({ kind: "wrap", by: "hook", id, after: text("!") })
    const { sections: done } = applyEdits(sections, [wrap("a"), wrap("b")], { pace: "turn" })
    const shown = done.map(
      ({ content: form }) =>
        form &&
        [form, ...(form.shorter ?? [])].map(({ parts }) =>
          parts.map((part) => ("text" in part ? part.text : "")).join(""),
        ),
    )
    expect(shown).toEqual([["long\n\n!", "short\n\n!"], undefined])
  })

  test("remove takes the section out and records its author", () => {
    expect(apply({ kind: "remove", by: "hook", id: "a" }).sections[0]).toEqual({
      ...built("a"),
      content: undefined,
      by: ["hook"],
      isRemoved: true,
    })
  })

  test("edits apply in order, and each is recorded", () => {
    const { sections } = apply(
      { kind: "replace", by: "one", id: "a", content: text("1") },
      { kind: "wrap", by: "two", id: "a", after: text("2") },
    )
    expect(sections[0]?.by).toEqual(["one", "two"])
  })

  test("an edit of a missing section is a diagnostic", () => {
    const edit: Edit = { kind: "remove", by: "hook", id: "c" }
    expect(apply(edit)).toEqual({
      sections: [built("a"), built("b")],
      results: [
        { edit, outcome: { kind: "unused", why: { kind: "refused-edit", code: "edit-without-target" } } },
      ],
      diagnostics: [{ code: "edit-without-target", by: "hook", id: "c" }],
    })
  })
})

describe("an edit of slower text", () => {
  test.each<[string, Edit, Content]>([
    [
      "replace",
      { kind: "replace", by: "hook", id: "slow", content: text("Other.") },
      { parts: [{ text: "Other.", from }] },
    ],
    [
      "remove",
      { kind: "remove", by: "hook", id: "slow" },
      { parts: [{ text: "Disregard this section.", from }] },
    ],
    [
      "wrap",
      { kind: "wrap", by: "hook", id: "slow", before: text("1"), after: text("2") },
      {
        parts: [
          { text: "1", from },
          { text: "\n\n", from },
          { text: "2", from },
        ],
      },
    ],
  ])("%s becomes an update and a diagnostic", (_kind, edit, update) => {
    expect(apply(edit)).toMatchObject({
      sections: [built("a"), built("b")],
      results: [{ edit, outcome: { kind: "included" }, update }],
      diagnostics: [{ code: "edit-of-slower-text", by: "hook", id: "slow", pace: "stable", needs: "inner" }],
    })
  })

  test("by a session edit, when the target is stable", () => {
    const edit: Edit = { kind: "remove", by: "hook", id: "a" }
    const { sections, diagnostics } = applyEdits([built("a", "stable")], [edit], { pace: "session" })
    expect(sections).toEqual([built("a", "stable")])
    expect(diagnostics).toEqual([
      { code: "edit-of-slower-text", by: "hook", id: "a", pace: "stable", needs: "public" },
    ])
  })

  test("a slow edit may change faster text", () => {
    const edit: Edit = { kind: "replace", by: "hook", id: "a", content: text("x") }
    expect(applyEdits([built("a", "turn")], [edit], { pace: "stable" }).results).toEqual([
      { edit, outcome: { kind: "included" } },
    ])
  })
})

describe("in a prompt", () => {
  const profile = makeProfile([fileSection("rules"), fileSection("secret", { trust: "full" })])
  const agent = makeAgent({
    files: [makeFile({ role: "rules", text: "Rules." }), makeFile({ role: "secret", text: "Secret." })],
  })
  const head = (trust: "full" | "public" = "full") =>
    createCompiler({ profile, counter: chars }).head(agent, makeSession({ audience: { trust } }))
  const tailOf = (turn: string, edits: readonly Edit[], sent?: Sent) =>
    head().step(makeTurn({ id: turn }), { edits, ...(sent && { sent }) })
  const replace = (value: string): Edit => ({
    kind: "replace",
    by: "hook",
    id: "rules",
    content: text(value),
  })

  test("an edit of the head is sent once in the tail, and ended when it is no longer made", () => {
    const one = tailOf("t1", [replace("Other.")])
    const two = tailOf("t2", [replace("Other.")], one.sent)
    const three = tailOf("t3", [], two.sent)
    const four = tailOf("t4", [], three.sent)
    expect([one, two, three, four].map(({ tail }) => tail?.text)).toEqual([
      '<turn-context>\n<update section="rules">\nOther.\n</update>\n\n</turn-context>\n\n',
      undefined,
      '<turn-context>\n<update section="rules">\nThis no longer applies.\n</update>\n\n</turn-context>\n\n',
      undefined,
    ])
    expect(new Set([one, two, three, four].map(prefixOf)).size).toBe(1)
    const entry = one.plan.entries.find(({ kind }) => kind === "edit")
    expect(entry).toMatchObject({ id: "edit:1:hook:rules", outcome: { kind: "included" }, by: ["hook"] })
    expect(entry?.spans.map(({ from: origin }) => origin)).toEqual([undefined, from, undefined])
  })

  test("two edits of one section by one author are both told, each once", () => {
    const wrap: Edit = { kind: "wrap", by: "hook", id: "rules", after: text("More.") }
    const one = tailOf("t1", [replace("Other."), wrap])
    const two = tailOf("t2", [replace("Other."), wrap], one.sent)
    expect([one, two].map(({ tail }) => tail?.text)).toEqual([
      '<turn-context>\n<update section="rules">\nOther.\n</update>\n\n<update section="rules">\nMore.\n</update>\n\n</turn-context>\n\n',
      undefined,
    ])
    const spans = one.plan.entries.flatMap((entry) => entry.spans).filter(({ block }) => block === 1)
    expect(spans.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(one.tail?.text.length)
  })

  test("an edit of a section that the audience may not see isn't told", () => {
    const edit: Edit = { kind: "replace", by: "hook", id: "secret", content: text("Other secret.") }
    const prompt = head("public").step(makeTurn(), { edits: [edit] })
    expect(prompt.text).toBe("<rules>\nRules.\n</rules>\n\n")
  })
})

describe("a hook that returns a whole prompt", () => {
  test("unchanged makes no edit", () => {
    expect(editFromWhole("a", "a", "hook")).toBe("none")
  })

  test("with text appended adds a section", () => {
    const facts = { pace: "turn", priority: "high", trust: "public", cut: "lines" }
    expect(editFromWhole("a\n", "a\nb", "hook")).toMatchObject({
      kind: "add",
      by: "hook",
      section: { ...facts, content: { parts: [{ text: "b" }] } },
    })
  })

  test.each(["ba", "", "b"])("changed to %j begins an epoch", (after) => {
    expect(editFromWhole("a", after, "hook")).toBe("rebase")
  })

  test("two such hooks can both add", () => {
    const edits = ["one", "two"]
      .map((by) => editFromWhole("a", `a ${by}`, by))
      .filter((edit) => typeof edit === "object")
    expect(apply(...edits).diagnostics).toEqual([])
  })
})
