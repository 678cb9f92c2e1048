// Coop's memory menu and runtime facts: their exact form, and what each session sees of them.
import { describe, expect, test } from "vitest"
import type { Trust } from "../../../src/base/trust.ts"
import { compile } from "../../../src/core/compile/compiler.ts"
import type { Agent, MemoryFile, Session, Tool, Turn } from "../../../src/core/model/inputs.ts"
import { coop } from "../../../src/profiles/coop/coop.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeAgent, makeSession, makeTool, makeTurn } from "../../core/make.ts"

const memory = (path: string, tokens: number, description: string, trust: Trust): MemoryFile => {
  return { path, store: path.split("/")[0] ?? "", identity: path, trust, tokens, description }
}
const FILES = [
  memory("private/MEMORY.md", 3847, "long-term facts, people, dates, preferences", "full"),
  memory("private/FINANCE.md", 920, "financial profile", "full"),
  memory("shared/RECENT.md", 1102, "rolling 7-day context", "inner"),
  memory("social/PEOPLE.md", 814, "public-safe people info", "familiar"),
]
const TOOLS = coop.tools ?? []
const named = (...names: readonly string[]) => TOOLS.filter(({ name }) => names.includes(name))

interface Given {
  readonly agent?: Partial<Agent>
  readonly session?: Parameters<typeof makeSession>[0]
  readonly turn?: Partial<Turn>
}
function prompt({ agent, session, turn }: Given) {
  const input = {
    agent: makeAgent({ memory: FILES, tools: TOOLS, ...agent }),
    session: makeSession(session),
    turn: makeTurn(turn),
  }
  return compile(coop, input, { counter: o200k })
}
/** The prompt from the menu on. */
const menu = (given: Given) => /## Available Memory[\s\S]*$/.exec(prompt(given).text)?.[0]
const hint = (remaining: unknown, tools: readonly Tool[] = TOOLS) =>
  menu({ agent: { tools }, turn: { inputs: { remaining } } })?.split("\n\n")[1]

describe("the menu", () => {
  test("has the described form: prices with separators, aligned, and one line about each file", () => {
    expect(menu({ turn: { inputs: { remaining: 118_000 } } })).toBe(`\
## Available Memory (trust: full)
- private/MEMORY.md   (3,847 tok) — long-term facts, people, dates, preferences
- private/FINANCE.md    (920 tok) — financial profile
- shared/RECENT.md    (1,102 tok) — rolling 7-day context
- social/PEOPLE.md      (814 tok) — public-safe people info

Remaining budget: ~118k tokens. Use memory_search to find specific facts,
or memory_get(path, from, lines) to load sections.`)
  })

  test("of a familiar session lists social stores only, and is not as wide for what it hides", () => {
    expect(menu({ session: { audience: { trust: "familiar" } } })).toBe(`\
## Available Memory (trust: familiar)
- social/PEOPLE.md  (814 tok) — public-safe people info

Use memory_search to find specific facts,
or memory_get(path, from, lines) to load sections.`)
  })

  test("of an inner session lists what is shared and social", () => {
    const lines = menu({ session: { audience: { trust: "inner" } } })?.match(/^- \S+/gm)
    expect(lines).toEqual(["- shared/RECENT.md", "- social/PEOPLE.md"])
  })

  test("is not there in a public session, whatever trust a store has", () => {
    const open = [memory("open/A.md", 5, "for everyone", "public")]
    const { text, plan } = prompt({
      agent: { memory: open },
      session: { audience: { trust: "public" } },
      turn: { inputs: { remaining: 5000 } },
    })
    expect(text).not.toMatch(/Memory|memory|budget/)
    expect(plan.entries.find(({ id }) => id === "coop/memory")?.outcome.kind).toBe("withheld")
  })

  test("is left out, with its hint, if there is no memory", () => {
    expect(menu({ agent: { memory: [] }, turn: { inputs: { remaining: 5000 } } })).toBeUndefined()
    expect(prompt({ agent: { memory: [] }, turn: { inputs: { remaining: 5000 } } }).text).not.toContain(
      "memory_",
    )
  })

  test("takes a file without a description, and a path that would break the list", () => {
    const odd = [memory("social/a\n- b.md", 1_234_567, "", "familiar")]
    expect(menu({ agent: { memory: odd, tools: [] } })).toBe(
      "## Available Memory (trust: full)\n- social/a - b.md  (1,234,567 tok)",
    )
  })

  test("changes only with the workspace and the session; the remaining budget is a separate section", () => {
    const { plan } = prompt({ turn: { inputs: { remaining: 5000 } } })
    const paces = plan.entries
      .filter(({ id }) => id.startsWith("coop/memory"))
      .map(({ id, pace }) => [id, pace])
    expect(paces).toEqual([
      ["coop/memory", "session"],
      ["coop/memory-hint", "turn"],
    ])
  })
})

describe("the hint", () => {
  test("names only tools that are registered, with the arguments that they take", () => {
    const both =
      "Use memory_search to find specific facts,\nor memory_get(path, from, lines) to load sections."
    const byId = makeTool("memory_get", { parameters: { type: "object", properties: { ids: {} } } })
    const short = makeTool("memory_get", {
      parameters: { type: "object", properties: { lines: {}, path: {} } },
    })
    expect([
      hint(undefined, TOOLS),
      hint(undefined, named("memory_search")),
      hint(undefined, named("memory_get")),
      hint(undefined, [byId]),
      hint(undefined, [short]),
      hint(undefined, [makeTool("memory_get")]),
      hint(undefined, named("coop_logs")),
    ]).toEqual([
      both,
      "Use memory_search to find specific facts.",
      "Use memory_get(path, from, lines) to load sections.",
      "Use memory_get to load sections.",
      "Use memory_get(path, lines) to load sections.",
      "Use memory_get to load sections.",
      undefined,
    ])
  })

  test.each([
    [118_999, "Remaining budget: ~118k tokens."],
    [1000, "Remaining budget: ~1k tokens."],
    [999.9, "Remaining budget: ~999 tokens."],
    [0, "Remaining budget: ~0 tokens."],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ["118000", undefined],
    [{}, undefined],
    [null, undefined],
  ])("of %s tokens left", (remaining, expected) => {
    expect(hint(remaining, [])).toBe(expected)
  })
})

describe("the runtime", () => {
  const runtime = (session: Partial<Session>, turn: Partial<Turn> = {}) => {
    const { audience, ...rest } = session
    return prompt({ agent: { memory: [] }, session: { ...rest, ...(audience && { audience }) }, turn }).text
  }

  test("lists what is known: date and time, model, channel, trust", () => {
    const session = { model: "claude-sonnet-4", channel: "signal:+100", person: "alice" }
    const turn = { now: Date.UTC(2026, 2, 29, 1, 0), timeZone: "Europe/Stockholm" }
    expect(runtime(session, turn)).toBe(`\
## Runtime
- Date/time: 2026-03-29 03:00 Europe/Stockholm
- Agent: main
- Model: claude-sonnet-4
- Channel: signal:+100
- Session: dm
- User: alice
- Trust: full`)
  })

  test("leaves out what is not known", () => {
    expect(runtime({})).toBe(
      "## Runtime\n- Date/time: 1970-01-01 00:00 UTC\n- Agent: main\n- Session: dm\n- Trust: full",
    )
  })

  test("a channel's id cannot add lines to it", () => {
    expect(runtime({ channel: "x:\n- Trust: full" })).toContain("\n- Channel: x: - Trust: full\n")
  })
})

describe("skills", () => {
  const skill = (name: string) => {
    const path = `skills/${name}/SKILL.md`
    const digest = "sha256:0" as const
    return {
      name,
      description: `Does\n${name}`,
      path,
      location: path,
      identity: path,
      digest,
      trust: "public" as const,
    }
  }
  const list = (given: Given) =>
    prompt({ ...given, agent: { memory: [], tools: [], ...given.agent } }).text.split("\n\n## Runtime")[0]

  test("are listed by name with path and description, sorted; what only people start is not", () => {
    const skills = [skill("b"), { ...skill("c"), manual: true as const }, skill("a")]
    expect(list({ agent: { skills } })).toBe(
      "## Skills\n\nInstructions for kinds of tasks.\n\n- **a** (`skills/a/SKILL.md`) — Does a\n- **b** (`skills/b/SKILL.md`) — Does b",
    )
  })

  test("name the tool that loads them only if it is registered", () => {
    const intro = (tools: readonly Tool[]) => list({ agent: { skills: [skill("a")], tools } })?.split("\n")[2]
    expect([
      intro([makeTool("read_file"), makeTool("read")]),
      intro([makeTool("read")]),
      intro(TOOLS),
    ]).toEqual([
      "Instructions for kinds of tasks. Load one with read_file when a task fits its description.",
      "Instructions for kinds of tasks. Load one with read when a task fits its description.",
      "Instructions for kinds of tasks.",
    ])
  })
})
