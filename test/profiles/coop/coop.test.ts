// What Coop would send from a whole workspace: layers in order, gated by trust, for each situation.
import { describe, expect, test } from "vitest"
import { coop } from "../../../src/profiles/coop/coop.ts"
import { coopSystem } from "../../../src/sources/systems/coop.ts"
import { compileFolder, type FolderOptions } from "../compile-folder.ts"

const root = new URL("../../fixtures/coop", import.meta.url).pathname
const golden = (name: string) => new URL(`../../golden/coop/${name}.txt`, import.meta.url).pathname
const build = (options: Partial<FolderOptions> = {}) =>
  compileFolder({ profile: coop, system: coopSystem, root, ...options })

const tools = coop.tools ?? []
const extensions = [
  { name: "developer", instructions: "Use the shell for builds.\n" },
  { name: "calendar", instructions: "Times are local." },
]
const turn = { inputs: { remaining: 118_400 } }

/** The sections in the prompt, in order, and the outcomes of the others. */
function outcomes(options: Partial<FolderOptions>) {
  const entries = build(options).plan.entries.filter(({ kind }) => kind === "section")
  return Object.fromEntries(entries.map(({ id, outcome }) => [id.replace("coop/", ""), outcome.kind]))
}

describe("the whole prompt", () => {
  const cases: Readonly<Record<string, Partial<FolderOptions>>> = {
    "owner-with-everything": { tools, extensions, turn, session: { as: "alice", channel: "signal:+100" } },
    "owner-without-tools": { session: { as: "alice" } },
    "inner-friend": { tools, session: { as: "carol" } },
    "owner-in-group": { tools, extensions, turn, session: { as: "alice", situation: "group" } },
    "familiar-neighbour": { tools, turn, session: { as: "bob" } },
    stranger: { tools, extensions, turn, session: { channel: "signal:+999" } },
    heartbeat: { tools, turn, session: { situation: "system" } },
    subagent: { tools, extensions, turn, session: { as: "alice", mode: "subagent" } },
  }
  test.each(Object.entries(cases))("%s", async (name, options) => {
    await expect(build(options).text).toMatchFileSnapshot(golden(name))
  })
})

describe("layers", () => {
  test("are in the described order: identity, behaviour, user, workspace, extensions, runtime, situation, memory", () => {
    const session = { as: "alice", situation: "system", channel: "signal:+100" }
    const { plan } = build({ tools, extensions, turn, session })
    const kept = plan.entries.filter(({ kind, spans }) => kind === "section" && spans.length > 0)
    expect(kept.map(({ id, pace }) => `${id} ${pace}`)).toEqual([
      "coop/soul stable",
      "coop/agents stable",
      "coop/user session",
      "coop/tools stable",
      "coop/identity stable",
      "coop/files stable",
      "coop/heartbeat session",
      "coop/extensions stable",
      "coop/skills stable",
      "coop/channel session",
      "coop/runtime turn",
      "coop/situation session",
      "coop/memory session",
      "coop/memory-hint turn",
    ])
  })

  test("the first text that changes is the runtime, and the skills come before it", () => {
    const prompt = build({ tools, session: { as: "alice" } })
    const later = build({ tools, session: { as: "alice" }, turn: { now: Date.UTC(2026, 2, 8) } })
    expect(prompt.plan.diagnostics).toMatchObject([{ code: "moving-text", id: "coop/runtime", block: 1 }])
    expect(prompt.head[0]?.text).toBe(later.head[0]?.text)
    expect(prompt.head[0]?.text.split("\n").at(-1)).toBe(
      "- **tea** (`skills/tea/SKILL.md`) — How everyone takes their tea",
    )
  })

  test("a stranger's prompt has no blank lines where text was withheld", () => {
    expect(build({ session: { channel: "signal:+999" } }).text).toBe(
      "## Channel: signal\nPlain text, no markdown.\n\n\n## Runtime\n- Date/time: 2026-03-07 14:55 UTC\n- Agent: main\n- Model: anthropic/claude-sonnet-4-20250514\n- Channel: signal:+999\n- Session: dm\n- Trust: public",
    )
  })
})

describe("trust", () => {
  test("alice, full, in a group with a familiar ceiling, sees TOOLS.md and IDENTITY.md, not MEMORY.md", () => {
    const prompt = build({ tools, session: { as: "alice", situation: "group" } })
    expect(prompt.plan.audience.trust).toBe("familiar")
    expect(outcomes({ tools, session: { as: "alice", situation: "group" } })).toEqual({
      soul: "included",
      agents: "included",
      user: "withheld",
      "user-files": "unused",
      tools: "included",
      identity: "included",
      files: "withheld",
      heartbeat: "unused",
      extensions: "unused",
      skills: "included",
      "user-skills": "unused",
      channel: "unused",
      runtime: "included",
      situation: "included",
      memory: "included",
      "memory-hint": "included",
    })
    expect(prompt.text).not.toMatch(/MEMORY\.md|ledger|spare key|gets up/)
  })

  test("a group's ceiling is familiar where the configuration names no situations", () => {
    const { audience } = compileFolder({
      profile: coop,
      system: coopSystem,
      root: new URL("../../../examples/lighthouse/prompts", import.meta.url).pathname,
      session: { situation: "group" },
    }).plan
    expect(audience).toMatchObject({ situation: "group", trust: "familiar" })
  })

  test.each([
    ["public", []],
    ["familiar", ["soul", "agents", "tools", "identity"]],
    ["inner", ["soul", "agents", "user", "tools", "identity", "files"]],
    ["full", ["soul", "agents", "user", "tools", "identity", "files", "heartbeat"]],
  ])("files that %s may see in a system situation", (trust, expected) => {
    const as = { full: "alice", inner: "carol", familiar: "bob", public: "nobody" }[trust]
    const found = outcomes({ session: { ...(as && { as }), situation: "system" } })
    const files = ["soul", "agents", "user", "tools", "identity", "files", "heartbeat"]
    // Carol has no USER.md of her own, and the workspace has none about its owner.
    const own = expected.filter((id) => id !== "user" || as === "alice")
    expect(files.filter((id) => found[id] === "included")).toEqual(own)
  })

  test("skills are withheld like files, and a hidden one leaves no trace", () => {
    const familiar = build({ session: { as: "bob" } })
    expect(familiar.text).not.toContain("ledger")
    const entry = build({ session: { channel: "x:1" } }).plan.entries.find(({ id }) => id === "coop/skills")
    expect(entry?.outcome).toEqual({ kind: "withheld", needs: "familiar", has: "public" })
  })

  test("tools that look into the records are the owner's, memory tools need a menu to look into", () => {
    const names = (as: string) => build({ tools, session: { as } }).tools.map(({ name }) => name)
    expect([names("alice"), names("bob"), names("nobody")]).toEqual([
      ["coop_logs", "coop_status", "coop_trace", "memory_get", "memory_search"],
      ["memory_get", "memory_search"],
      [],
    ])
  })
})

describe("situations", () => {
  const overlay = (situation: string) => {
    const { plan, head } = build({ session: { as: "alice", situation } })
    const span = plan.entries.find(({ id }) => id === "coop/situation")?.spans.at(-1)
    return span && head[span.block]?.text.slice(span.start, span.end)
  }
  test("an overlay is sent as it is, and only in its situation", () => {
    expect([overlay("dm"), overlay("group"), overlay("system")]).toEqual([
      undefined,
      "You are in a group. Speak only when you are spoken to.\n",
      "Nobody is waiting. If nothing needs doing, say so in one word.\n",
    ])
  })

  test("HEARTBEAT.md is sent only in a system situation", () => {
    const kept = (situation: string) => outcomes({ session: { as: "alice", situation } }).heartbeat
    expect([kept("dm"), kept("group"), kept("system")]).toEqual(["unused", "unused", "included"])
  })
})

describe("extensions", () => {
  const spanText = (options: Partial<FolderOptions>) => {
    const { plan, head } = build({ session: { as: "alice" }, ...options })
    const spans = plan.entries.find(({ id }) => id === "coop/extensions")?.spans ?? []
    return spans.map(({ block, start, end }) => head[block]?.text.slice(start, end)).join("")
  }
  const expected = "\n\n## calendar\nTimes are local.\n\n## developer\nUse the shell for builds.\n"

  test("each is listed under its name, sorted, so that the order of registration changes no byte", () => {
    expect([spanText({ extensions }), spanText({ extensions: extensions.toReversed() })]).toEqual([
      expected,
      expected,
    ])
  })

  test("one that says nothing, or that the session may not see, is left out whole", () => {
    const more = [
      ...extensions,
      { name: "quiet", instructions: " \n" },
      { name: "bank", instructions: "Secret.", trust: "full" as const },
    ]
    expect(spanText({ extensions: more, session: { as: "bob" } })).toBe(expected)
  })
})
