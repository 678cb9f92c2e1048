// What an audience may see: by trust, situation and mode, by file identity, and for tools and extensions too.
import { describe, expect, test } from "vitest"
import { atLeast, isTrust, leastOf, mostOf, TRUSTS, type Trust } from "../../../src/base/trust.ts"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import type { Agent, Audience } from "../../../src/core/model/inputs.ts"
import { visible } from "../../../src/core/model/plan.ts"
import { bodyOf } from "../../../src/core/model/source.ts"
import { gate } from "../../../src/core/view/gate.ts"
import { view } from "../../../src/core/view/view.ts"
import {
  chars,
  fileSection,
  makeAgent,
  makeFile,
  makeProfile,
  makeSection,
  makeSession,
  makeTool,
  makeTurn,
} from "../make.ts"

const seen = (agent: Agent, audience: Partial<Audience>) => view(agent, makeSession({ audience }))
const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path)

describe("trust", () => {
  test("is ordered public, familiar, inner, full", () => {
    const table = TRUSTS.map((has) => TRUSTS.filter((needs) => atLeast(has, needs)))
    expect(table).toEqual([
      ["public"],
      ["public", "familiar"],
      ["public", "familiar", "inner"],
      ["public", "familiar", "inner", "full"],
    ])
    expect([leastOf("inner", "familiar"), mostOf("inner", "familiar"), leastOf("full", "full")]).toEqual([
      "familiar",
      "inner",
      "full",
    ])
    expect(["full", "Full", "", undefined, 3].map(isTrust)).toEqual([true, false, false, false, false])
  })
})

describe("a view", () => {
  const files = TRUSTS.map((trust) => makeFile({ role: "r", path: `${trust}.md`, trust }))

  test.each(TRUSTS.map((trust, at) => [trust, at] as const))(
    "for %s has what that trust may see, and lists the rest as hidden",
    (trust, at) => {
      const { agent, hidden } = seen(makeAgent({ files }), { trust })
      expect(paths(agent.files)).toEqual(TRUSTS.slice(0, at + 1).map((one) => `${one}.md`))
      expect(hidden).toEqual(
        TRUSTS.slice(at + 1).map((needs) => ({
          role: "r",
          path: `${needs}.md`,
          identity: `${needs}.md`,
          why: "trust",
          needs,
        })),
      )
    },
  )

  test("has a file only in its situations and modes", () => {
    const here = [
      makeFile({ role: "r", path: "dm.md", situations: ["dm"] }),
      makeFile({ role: "r", path: "group.md", situations: ["group", "system"] }),
      makeFile({ role: "r", path: "sub.md", modes: ["subagent"] }),
    ]
    const { agent, hidden } = seen(makeAgent({ files: here }), { situation: "dm", mode: "full" })
    expect(paths(agent.files)).toEqual(["dm.md"])
    expect(hidden.map(({ path, why }) => [path, why])).toEqual([
      ["group.md", "situation"],
      ["sub.md", "mode"],
    ])
    expect(
      paths(seen(makeAgent({ files: here }), { situation: "group", mode: "subagent" }).agent.files),
    ).toEqual(["group.md", "sub.md"])
  })

  test("hides a file under both its paths if the audience may not see it under one of them", () => {
    const link = makeFile({ role: "rules", path: "rules/link.md", identity: "1:2", trust: "familiar" })
    const memory = makeFile({ role: "memory", path: "MEMORY.md", identity: "1:2", trust: "full" })
    const session = makeSession({ files: [memory], audience: { trust: "inner" } })
    const { agent, session: shown, hidden } = view(makeAgent({ files: [link] }), session)
    expect([paths(agent.files), paths(shown.files), paths(hidden)]).toEqual([
      [],
      [],
      ["rules/link.md", "MEMORY.md"],
    ])
    const full = view(makeAgent({ files: [link] }), makeSession({ files: [memory] }))
    expect([paths(full.agent.files), paths(full.session.files)]).toEqual([["rules/link.md"], ["MEMORY.md"]])
  })

  test("has the tools and extensions that the audience may use", () => {
    const agent = makeAgent({
      tools: [makeTool("shell", { trust: "full" }), makeTool("read")],
      extensions: [
        { name: "mail", instructions: "x", trust: "inner" },
        { name: "web", instructions: "y" },
      ],
    })
    const shown = seen(agent, { trust: "familiar" }).agent
    expect([shown.tools.map(({ name }) => name), shown.extensions.map(({ name }) => name)]).toEqual([
      ["read"],
      ["web"],
    ])
  })
})

describe("the gate", () => {
  const secret = makeFile({ role: "memory", path: "MEMORY.md", trust: "full" })
  const inner = view(makeAgent({ files: [secret] }), makeSession({ audience: { trust: "inner" } }))

  test("withholds a section that needs more", () => {
    expect(gate(makeSection("s", "x", { trust: "full" }), inner)).toEqual({
      out: { kind: "withheld", needs: "full", has: "inner" },
      hidden: [],
    })
  })

  test("removes a part that needs more trust, from the shorter forms too", () => {
    const part = { text: "secret", trust: "full" as const }
    const content = { parts: [{ text: "open" }, part], shorter: [{ parts: [part] }] }
    const { content: left, hidden } = gate(makeSection("s", "", { content }), inner)
    expect(left).toEqual({ parts: [{ text: "open" }], shorter: [{ parts: [] }] })
    expect(hidden[0]).toEqual({ role: "s", path: "s", identity: "s", why: "trust", needs: "full" })
  })

  test("recognises a hidden file by its identity, whatever path and trust an edit gave it", () => {
    const alias = { ...bodyOf({ ...secret, path: "harmless.md", trust: "public" }) }
    const { out, hidden } = gate(makeSection("s", "", { content: { parts: [alias] } }), inner)
    expect(out).toEqual({ kind: "withheld", needs: "full", has: "inner" })
    expect(paths(hidden)).toEqual(["MEMORY.md"])
  })

  test("reports a section as withheld if only white space between hidden texts is left", () => {
    const part = { text: "secret", trust: "full" as const }
    const content = { parts: [part, { text: "\n\n" }, part] }
    expect(gate(makeSection("s", "", { content }), inner).out).toEqual({
      kind: "withheld",
      needs: "full",
      has: "inner",
    })
  })

  test.each<[string, Partial<Parameters<typeof makeFile>[0]>, object]>([
    ["its files need more trust", { trust: "full" }, { kind: "withheld", needs: "full", has: "inner" }],
    [
      "they are for another situation",
      { situations: ["group"] },
      {
        kind: "unused",
        why: { kind: "other-audience", path: "NOTES.md", of: "situation", is: "dm", only: ["group"] },
      },
    ],
    [
      "they are for another mode",
      { modes: ["minimal"] },
      {
        kind: "unused",
        why: { kind: "other-audience", path: "NOTES.md", of: "mode", is: "full", only: ["minimal"] },
      },
    ],
    [
      "they cannot be read now",
      { text: "", unavailable: "EACCES" },
      { kind: "unused", why: { kind: "unavailable", path: "NOTES.md", problem: "EACCES" } },
    ],
  ])("says that a section is empty because %s", (_why, facts, out) => {
    const agent = makeAgent({ files: [makeFile({ role: "notes", ...facts })] })
    const shown = view(agent, makeSession({ audience: { trust: "inner" } }))
    const empty = { ...makeSection("notes", ""), content: undefined, reads: ["notes"] }
    expect(gate(empty, shown).out).toEqual(out)
  })
})

describe("hidden input changes nothing in `told`", () => {
  const profile = makeProfile([fileSection("rules", { cut: "lines" })])
  const rules = makeFile({
    role: "rules",
    text: Array.from({ length: 40 }, (_, at) => `Rule ${at}.`).join("\n"),
  })
  const toldOf = (facts: Partial<Agent>) => {
    const agent = makeAgent({ files: [rules], tools: [makeTool("list")], ...facts })
    const session = makeSession({ audience: { trust: "public" } })
    const budget = { window: 10_000, reserve: 0, head: 200 }
    return visible(
      createCompiler({ profile, counter: chars }).head(agent, session, { budget }).step(makeTurn()).plan,
    )
  }

  test("a cut doesn't name a reading tool that the audience may not call", () => {
    const hidden = [makeTool("list"), makeTool("read", { trust: "full" })]
    expect(toldOf({ tools: hidden })).toEqual(toldOf({}))
  })

  test("a hidden tool may share its name with another", () => {
    const hidden = [makeTool("list"), makeTool("list", { trust: "full", description: "Lists more." })]
    expect(toldOf({ tools: hidden })).toEqual(toldOf({}))
  })

  test("neither do a file, an extension or an unavailable file", () => {
    const secret = makeFile({ role: "rules", path: "secret.md", trust: "full", unavailable: "EACCES" })
    const extensions = [{ name: "mail", instructions: "x", trust: "full" as const }]
    expect(toldOf({ files: [secret, rules], extensions })).toEqual(toldOf({}))
  })
})

test("text with an unknown trust level is visible to no audience", () => {
  const unknown: string = "secret"
  // Callers in JavaScript are not type-checked.
  expect(TRUSTS.filter((trust) => atLeast(trust, unknown as Trust))).toEqual([])
})
