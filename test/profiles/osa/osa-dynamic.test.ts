// The dynamic sections of the `osa` profile: their order, their text, and how they share the room.
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Turn } from "../../../src/core/model/inputs.ts"
import type { Entry } from "../../../src/core/model/plan.ts"
import { osaBefore } from "../../../src/profiles/osa/before.ts"
import { osa } from "../../../src/profiles/osa/osa.ts"
import { overlay } from "../../../src/signal/overlay.ts"
import { type Folder, makeFolder } from "../../sources/folder.ts"
import { compileBefore, compileOsa, fillHome, type Given, SESSION, TOOLS, TURN } from "./osa-folder.ts"

let folder: Folder

beforeEach(() => {
  folder = makeFolder()
})

afterEach(() => folder.remove())

const RULE = "\n\n---\n\n"
const FULL: Given = { tools: TOOLS, session: SESSION, turn: { ...TURN, planMode: true } }
const dynamicOf = (given: Given) => compileOsa(folder, given).text.split(RULE).slice(1)
const needs = ({ sections }: typeof osa) => sections.map(({ id, priority }) => `${priority} ${id.slice(4)}`)

describe("the order", () => {
  test("after: a static base with its places, then eleven dynamic sections in four tiers", () => {
    expect(needs(osa)).toEqual([
      "required base",
      "required tools",
      "required rules",
      "required user-profile",
      "required signal-overlay",
      "required runtime",
      "required plan-mode",
      "required environment",
      "high memory",
      "high task-state",
      "high workflow",
      "medium communication",
      "medium cortex",
      "low os-templates",
      "low machines",
    ])
  })

  test("before: fifteen blocks in four tiers, the first of them in four parts", () => {
    expect(needs(osaBefore)).toEqual([
      "required security",
      "required identity",
      "required soul",
      "required signal-overlay",
      "required tool-process",
      "required runtime",
      "required plan-mode",
      "required environment",
      "high tools",
      "high rules",
      "high memory",
      "high workflow",
      "high task-state",
      "medium user-profile",
      "medium communication",
      "medium cortex",
      "low os-templates",
      "low machines",
    ])
  })

  test.each([
    ["after", compileOsa],
    ["before", compileBefore],
  ])("%s: a rule between all of them, and none at either end", (_era, compiled) => {
    fillHome(folder)
    const { text, plan } = compiled(folder, FULL)
    const inside = ["osa/tools", "osa/rules", "osa/user-profile"]
    const apart = plan.entries.filter(
      ({ id, kind, spans }) =>
        kind === "section" && spans.length > 0 && (compiled === compileBefore || !inside.includes(id)),
    )
    const pieces = text.split(RULE)
    expect([pieces.length, pieces.every((piece) => piece !== "" && piece === piece.trim())]).toEqual([
      apart.length,
      true,
    ])
    expect(apart.length).toBe(compiled === compileBefore ? 18 : 12)
  })

  test("before: the soul is read first, and what changes with the message comes before most of the prompt", () => {
    const { head, plan } = compileBefore(folder, FULL)
    expect(head.map(({ pace }) => pace)).toEqual(["session", "turn"])
    expect(plan.diagnostics.find(({ code }) => code === "moving-text")).toMatchObject({
      id: "osa/signal-overlay",
    })
  })

  test("before: batches, conventions, status updates and git were not spoken of; brevity was", () => {
    const { text } = compileBefore(folder, { tools: TOOLS })
    const words = ["parallel", "verify it's available", "status update", "git", "fewer than 4 lines"]
    expect(words.map((word) => text.includes(word))).toEqual([false, false, false, false, true])
  })

  test("before: a custom identity and soul are used even with a SYSTEM.md, with no diagnostic", () => {
    folder.write("home/.osa/prompts/SYSTEM.md", "New.")
    folder.write("home/.osa/IDENTITY.md", "I am Mel.")
    folder.write("home/.osa/SOUL.md", "Calm.")
    const { text, plan } = compileBefore(folder)
    expect(text.split(RULE).slice(1, 3)).toEqual(["I am Mel.", "Calm."])
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(["moving-text"])
  })
})

describe("what they say", () => {
  const [signal, other] = [
    { mode: "analyze", genre: "decide", type: "report", format: "document", weight: 0.9 },
    { mode: "execute", genre: "direct", type: "general", format: "command", weight: 2 },
  ] as const
  const first = (turn: Partial<Turn>) => dynamicOf({ turn })[0] ?? ""

  test("the signal that was handed in goes before the message's own", () => {
    expect(first({ message: "hello", inputs: { signal } })).toBe(`## ${overlay(signal)}`)
  })

  test("an invalid signal is ignored, and the message is classified", () => {
    expect(first({ message: "Build it", inputs: { signal: other } }).split("\n")[0]).toBe(
      "## Active Signal: BUILD x INFORM (weight: 0.52)",
    )
  })

  test("without a message there is no signal", () => {
    expect([first({}), first({ message: " " })].map((text) => text.split("\n")[0])).toEqual([
      "## Runtime Context",
      "## Runtime Context",
    ])
  })

  test("runtime: timestamp, channel and session, and nothing else moves with the clock alone", () => {
    const one = dynamicOf({ session: { ...SESSION, channel: "cli" }, turn: { now: 1_000 } })
    expect(one[0]).toBe(
      "## Runtime Context\n- Timestamp: 1970-01-01T00:00:01.000Z\n- Channel: cli\n- Session: s-7",
    )
    const two = dynamicOf({ session: { ...SESSION, channel: "cli" }, turn: { now: 2_000 } })
    expect(two.slice(1)).toEqual(one.slice(1))
  })

  test("plan mode: a format for the plan, only while it is on", () => {
    const headings = (planMode: boolean) =>
      dynamicOf({ turn: { planMode } })
        .join("\n")
        .match(/^###.*$/gm)
    expect([headings(true), headings(false)]).toEqual([
      ["### Goal", "### Steps", "### Files", "### Risks", "### Estimate"],
      null,
    ])
  })

  test("environment: directory, date where the user is, machine, model and git; only what is known", () => {
    const now = Date.UTC(2026, 11, 31, 23)
    const told = (given: Given) => dynamicOf(given)[1]
    expect(told({ turn: { now, timeZone: "Asia/Kolkata" } })).toBe("## Environment\n- Date: 2027-01-01")
    expect(told({ turn: { now }, session: { model: "local" } })).toBe(
      "## Environment\n- Date: 2026-12-31\n- Model: local",
    )
    const session = { directory: "/x", model: "groq/meta/llama", env: {} }
    const git = { branch: "main", dirty: 0, commits: [] }
    expect(
      told({ turn: { now, git }, session })?.replace(
        /OS: \w+\n- Runtime: node [\d.]+/,
        "OS: o\n- Runtime: r",
      ),
    ).toBe(
      "## Environment\n- Working directory: /x\n- Date: 2026-12-31\n- OS: o\n- Runtime: r\n- Provider: groq / meta/llama\n- Git branch: main",
    )
  })

  test.each([
    ["tasks", [[], "x", {}, [{ status: "completed" }, 7, null, { title: " " }]]],
    ["workflow", [7, " ", {}, { name: 3, steps: ["x"] }, ["x"]]],
    ["communication", ["casual", {}, { formality: {}, topics: "bees" }, { topics: [] }]],
    ["bulletin", [7, "", {}, [["x"]]]],
    ["os_templates", [7, "", [], [7, " "], {}]],
    ["machines", [null, "\n", [[]]]],
  ])("%s of a wrong shape are left out, whole", (name, values) => {
    const plain = compileOsa(folder).text
    for (const value of values) {
      const inputs = { [name]: value }
      expect(compileOsa(folder, { session: { inputs }, turn: { inputs } }).text).toBe(plain)
    }
  })

  test("a workflow may be a text, a profile may lack fields, addenda may be several", () => {
    const session = { inputs: { os_templates: ["One.\n", "", "Two."], machines: "Three." } }
    const turn = { inputs: { workflow: "Step 2 of 4.\n", communication: { topics: ["bees", 7] } } }
    expect(dynamicOf({ session, turn }).slice(2)).toEqual([
      "## Active Workflow\nStep 2 of 4.",
      "## Communication Intelligence\n- Common topics: bees\n\nLet your tone and the length of your answers fit this person.",
      "One.\n\nTwo.",
      "Three.",
    ])
  })
})

describe("the room", () => {
  const known = { window: 128_000, reserve: 4_096, conversation: 20_000, stable: 1_904 }
  const lines = (word: string) => Array.from({ length: 400 }, (_line, at) => `${word} ${at}.`).join("\n")
  const crowd = (): Given => {
    folder.write("home/.osa/MEMORY.md", lines("Memory"))
    const inputs = { bulletin: lines("Bulletin"), workflow: lines("Workflow") }
    return {
      session: { inputs: { os_templates: lines("Template"), machines: lines("Machine") } },
      turn: { inputs },
    }
  }
  const tokensOf = (entries: readonly Entry[], priority: string) =>
    entries
      .filter((entry) => entry.priority === priority && entry.pace !== "stable")
      .reduce((sum, { tokens }) => sum + tokens, 0)

  test("after: what window, reserve, conversation and static base leave, but at least 1,000", () => {
    expect([osa.room?.(known), osa.room?.({ ...known, conversation: 127_000 })]).toEqual([102_000, 1_000])
  })

  test("before: what window, reserve and conversation leave, but at least 2,000", () => {
    expect([osaBefore.room?.(known), osaBefore.room?.({ ...known, conversation: 127_000 })]).toEqual([
      103_904, 2_000,
    ])
  })

  test("is shared in tiers: the first whole, the second 40%, the third 30%, the fourth the rest", () => {
    const { plan } = compileOsa(folder, { ...crowd(), conversationTokens: 128_000 })
    const [required, high, medium, low] = ["required", "high", "medium", "low"].map((priority) =>
      tokensOf(plan.entries, priority),
    ) as [number, number, number, number]
    const left = 1_000 - required - high - medium
    // Only whole lines are kept, so each share may be a line short of full.
    expect([
      high <= 400 && high > 390,
      medium <= 300 && medium > 290,
      low <= left && low > left - 10,
    ]).toEqual([true, true, true])
    const cut = plan.entries.filter(
      ({ outcome }) => outcome.kind === "truncated" || outcome.kind === "dropped",
    )
    expect(cut.map(({ id, outcome }) => [id, outcome.kind])).toEqual([
      ["osa/memory", "truncated"],
      ["osa/workflow", "dropped"],
      ["osa/cortex", "truncated"],
      ["osa/os-templates", "truncated"],
      ["osa/machines", "dropped"],
    ])
  })

  test("cut text keeps its lines and ends with the mark, inside its share", () => {
    const { text } = compileOsa(folder, { ...crowd(), conversationTokens: 128_000 })
    const memory = text.split(RULE).find((piece) => piece.startsWith("## Long-term Memory")) ?? ""
    expect(memory).toMatch(/^## Long-term Memory\n(Memory \d+\.\n)+\n\[\.\.\.truncated\.\.\.\]$/)
  })

  test("the first tier is never cut, even if it alone is more; the others go, and warnings say so", () => {
    const commits = Array.from({ length: 300 }, (_line, at) => `abc${at} Change number ${at}`)
    const given = crowd()
    const turn = { ...given.turn, git: { branch: "main", dirty: 0, commits } }
    const { plan } = compileOsa(folder, { ...given, turn, conversationTokens: 128_000 })
    const kinds = ["required", "high", "medium", "low"].map((priority) => [
      ...new Set(
        plan.entries.filter((entry) => entry.priority === priority).map(({ outcome }) => outcome.kind),
      ),
    ])
    expect(kinds).toEqual([["included", "unused"], ["dropped", "unused"], ["unused", "dropped"], ["dropped"]])
    expect(plan.diagnostics.filter(({ code }) => code === "section-dropped").length).toBe(5)
  })

  test("after: rules, tools and the user's profile are in the base, and cost the others nothing", () => {
    const given = { ...crowd(), conversationTokens: 128_000 }
    const before = compileOsa(folder, given).plan.entries
    folder.write("home/.osa/rules/long.md", lines("Rule"))
    const after = compileOsa(folder, given).plan.entries
    expect(tokensOf(after, "high")).toBe(tokensOf(before, "high"))
    expect(after.find(({ id }) => id === "osa/rules")?.outcome).toEqual({ kind: "included" })
  })

  test("before: rules share the second tier with memory, which then goes without", () => {
    const given = { ...crowd(), conversationTokens: 128_000 }
    folder.write("home/.osa/rules/long.md", lines("Rule"))
    const { entries } = compileBefore(folder, given).plan
    expect(
      entries.filter(({ priority }) => priority === "high").map(({ id, outcome }) => [id, outcome.kind]),
    ).toEqual([
      ["osa/tools", "unused"],
      ["osa/rules", "truncated"],
      ["osa/memory", "dropped"],
      ["osa/workflow", "dropped"],
      ["osa/task-state", "unused"],
    ])
    expect(tokensOf(entries, "high") <= 800).toBe(true)
  })
})
