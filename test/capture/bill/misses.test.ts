// What a bill says was paid for twice: nothing while a client only appends, and each change with its place, its cause
// and what it cost, which is what the simulator says about the same calls with and without the change.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { keptBy } from "../../../src/record/ask/cache-loss.ts"
import { isList } from "../../../src/record/write/request-marks.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { newFolder } from "../attribute/folder.ts"
import { billOf } from "./bill-of.ts"
import {
  callsOf,
  type Draft,
  drafts,
  FIRST,
  inputUsd,
  lines,
  MINUTE,
  MODEL,
  simulated,
  step,
} from "./conversation.ts"

type Change = (draft: Draft) => Draft

/** The bill of six calls that are changed from the fourth on. */
async function changed(change: Change, count = 6, coverage: CapturedCall["coverage"] = "exact") {
  const sent = drafts(count, (draft, number) => (number >= 3 ? change(draft) : draft))
  const bill = await billOf(callsOf(sent, { coverage }))
  const without = simulated(drafts(count))
  const dollars = simulated(sent).reduce((sum, usage, at) => {
    const other = without[at]
    return sum + inputUsd(usage) - (other ? inputUsd(other) : 0)
  }, 0)
  return { bill, dollars }
}

test("a client that only appends misses nothing", async () => {
  const bill = await billOf(callsOf(drafts(20)))
  expect(bill.misses).toEqual([])
  expect(bill.missGroups).toEqual([])
  expect(bill.missedUsd).toBe(0)
})

describe("a change of the same length costs what the simulator says", () => {
  test("a line of the system text", async () => {
    const { bill, dollars } = await changed((draft) => ({
      ...draft,
      system: draft.system.replace("rule number 17 in its", "rule number 17 at its"),
    }))
    expect(bill.misses).toMatchObject([
      {
        call: "s1-main-3",
        cause: "text-changed",
        how: "changed",
        before: "The agent keeps rule number 17 in its own words.",
        after: "The agent keeps rule number 17 at its own words.",
      },
    ])
    expect(bill.missedUsd).toBeCloseTo(dollars, 12)
  })

  test("a line of the system text, in requests that are known in part", async () => {
    const edited: Change = (draft) => ({
      ...draft,
      system: draft.system.replace("rule number 17 in its", "rule number 17 at its"),
    })
    const { bill, dollars } = await changed(edited, 6, "partial")
    expect(bill.misses).toMatchObject([
      {
        cause: "text-changed",
        before: "The agent keeps rule number 17 in its own words.",
        after: "The agent keeps rule number 17 at its own words.",
      },
    ])
    expect(bill.missedUsd).toBeCloseTo(dollars, 12)
  })

  test("a tool, and the system text that lists it", async () => {
    const renamed: Change = (draft) => ({
      ...draft,
      tools: draft.tools.map((name) => name.replace("Bash", "Fish")),
    })
    const alone = await changed(renamed)
    const both = await changed((draft) => ({
      ...renamed(draft),
      system: draft.system.replace("rule number 17 in its", "rule number 17 at its"),
    }))
    expect(both.bill.misses).toMatchObject([{ call: "s1-main-3", cause: "tools-changed" }])
    expect(both.bill.misses[0]?.tokens).toBe(alone.bill.misses[0]?.tokens)
  })

  test("a tool's description", async () => {
    const { bill } = await changed((draft) => ({ ...draft, tools: ["Bash", "Read", "mcp__tides__list"] }))
    expect(bill.misses).toMatchObject([
      { cause: "tools-changed", how: "went", owner: { kind: "mcp-tool", server: "tides", name: "get" } },
    ])
  })

  test("tools in another order", async () => {
    const { bill, dollars } = await changed((draft) => ({ ...draft, tools: draft.tools.toReversed() }))
    expect(bill.misses).toMatchObject([{ cause: "tools-changed", how: "moved" }])
    expect(bill.missedUsd).toBeCloseTo(dollars, 12)
  })

  test("an earlier result that the client rewrites", async () => {
    const { bill, dollars } = await changed((draft) => ({
      ...draft,
      steps: draft.steps.map((one, at) =>
        at === 1 ? { ...one, result: one.result.replace("number 5 in", "number 5 at") } : one,
      ),
    }))
    expect(bill.misses).toMatchObject([
      {
        cause: "messages-changed",
        owner: { kind: "tool-result", name: "Bash", input: "make task-1" },
        after: "Result 1 keeps rule number 5 at its own words.",
      },
    ])
    expect(bill.missedUsd).toBeCloseTo(dollars, 12)
  })

  test("another model", async () => {
    const { bill, dollars } = await changed((draft) => ({ ...draft, model: "claude-haiku-4-5" }))
    // The rule of the other model asks for more tokens than these requests have.
    expect(dollars).not.toBe(0)
    expect(bill.misses).toMatchObject([
      { cause: "model-changed", models: [MODEL, "claude-haiku-4-5"], call: "s1-main-3" },
    ])
  })
})

test("a pause is a miss exactly if it is longer than the lifetime that was written, and costs what the simulator says", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 90 * 60 }),
      fc.constantFrom("5m", "1h"),
      fc.constantFrom("exact" as const, "none" as const),
      async (seconds, ttl, coverage) => {
        const first = { ...FIRST, ttl }
        const paused = drafts(
          4,
          (draft, at) => ({ ...draft, at: draft.at + (at >= 2 ? seconds * 1000 : 0) }),
          first,
        )
        const idleMs = MINUTE + seconds * 1000
        const ttlMs = ttl === "5m" ? 5 * MINUTE : 60 * MINUTE
        // The cache is gone when the lifetime has passed; at that very moment it is neither.
        fc.pre(idleMs !== ttlMs)
        const bill = await billOf(callsOf(paused, { coverage }))
        expect(bill.misses.map(({ cause }) => cause)).toEqual(idleMs > ttlMs ? ["expired"] : [])
        const usual = simulated(drafts(4, (draft) => draft, first))
        const dollars = simulated(paused).reduce(
          (sum, usage, at) => sum + inputUsd(usage) - inputUsd(usual[at] ?? usage),
          0,
        )
        expect(bill.missedUsd).toBeCloseTo(dollars, 12)
        if (idleMs > ttlMs) expect(bill.misses[0]).toMatchObject({ idleMs, ttlMs })
      },
    ),
    { numRuns: 40, seed: 7 },
  )
})

test("an edit of an instruction file is named with its line in both versions, and costs what the simulator says", async () => {
  const { project, home } = newFolder()
  const path = join(project, "AGENTS.md")
  const rules = Array.from({ length: 40 }, (_, at) => `- Rule ${at + 1}: the bell of tower ${at * 31} rings.`)
  const quoted = (own: readonly string[]) =>
    `${FIRST.system}\n<project_instructions path="${path}">\n${own.join("\n")}\n</project_instructions>`
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 39 }), fc.integer({ min: 1, max: 5 }), async (at, from) => {
      const edited = rules.with(at, (rules[at] ?? "").replace("rings", "hangs"))
      writeFileSync(path, edited.join("\n"))
      const sent = drafts(6, (draft, number) => ({
        ...draft,
        system: quoted(number >= from ? edited : rules),
      }))
      const usual = simulated(drafts(6, (draft) => ({ ...draft, system: quoted(rules) })))
      const calls = callsOf(sent, { project }).map((call) => ({ ...call, client: "pi" as const }))
      const bill = await billOf(calls, { machine: { home, variables: {} } })
      expect(bill.misses).toHaveLength(1)
      expect(bill.misses[0]).toMatchObject({
        ...{ call: `s1-main-${from}`, cause: "text-changed", how: "changed" },
        owner: { kind: "file", path, line: at + 1, lineBefore: at + 1 },
        ...{ before: rules[at], after: edited[at] },
      })
      const dollars = simulated(sent).reduce(
        (sum, usage, index) => sum + inputUsd(usage) - inputUsd(usual[index] ?? usage),
        0,
      )
      expect(bill.missedUsd).toBeCloseTo(dollars, 12)
      expect(bill.groups.find(({ group }) => group === "instructions")?.items[0]?.name).toBe("AGENTS.md")
    }),
    { numRuns: 25, seed: 9 },
  )
})

test("a compacted conversation pays only for what it had sent before", async () => {
  const long = drafts(12)
  const last = long.at(-1) ?? FIRST
  const compacted = { ...last, at: last.at + MINUTE, steps: [{ ...step(40), ask: lines("The summary", 10) }] }
  const bill = await billOf(callsOf([...long, compacted]))
  // The instructions are sent again; the summary is new.
  expect(bill.misses).toMatchObject([{ cause: "compacted", tokens: o200k.count(FIRST.instructions) }])
  const blind = await billOf(callsOf([...long, compacted], { coverage: "none" }))
  expect(blind.misses.map(({ cause }) => cause)).toEqual([])
})

test("without text, only what can be known is said", async () => {
  const { bill } = await changed(
    (draft) => ({ ...draft, system: draft.system.replace("rule number 17 in its", "rule number 17 at its") }),
    6,
    "none",
  )
  expect(bill.misses).toHaveLength(1)
  expect(bill.misses[0]).toMatchObject({ cause: "unknown" })
  expect(bill.misses[0]?.owner).toBeUndefined()
})

/** Calls with a line behind their last mark, which differs each time. */
function withClock(calls: readonly CapturedCall[]): readonly CapturedCall[] {
  return calls.map((call, at) => {
    const { messages } = call.request ?? {}
    const clock = { role: "user", content: `It is ${at} o'clock.` }
    return { ...call, request: { ...call.request, messages: [...(isList(messages) ? messages : []), clock] } }
  })
}

test("a change behind the last mark costs nothing, and is not named", async () => {
  expect((await billOf(withClock(callsOf(drafts(4))))).misses).toEqual([])
})

test("what the provider dropped is not put down to a change that cannot be the reason", async () => {
  const calls = withClock(callsOf(drafts(4))).map((call, at) => {
    const { read, write } = call.usage
    const dropped = { ...call.usage, read: 0, write: { "5m": read + (write["5m"] ?? 0) } }
    return at === 2 ? { ...call, usage: dropped } : call
  })
  const bill = await billOf(calls)
  expect(bill.misses).toMatchObject([{ cause: "evicted", call: "s1-main-2" }])
  expect(bill.misses[0]?.tokens).toBe(
    keptBy(calls[1]?.usage ?? { uncached: 0, read: 0, write: {}, output: 0 }, ruleFor(MODEL)),
  )
})

test("after a pause past the lifetime, an edit is not the cause", async () => {
  const { bill } = await changed((draft) => ({
    ...draft,
    at: draft.at + 10 * MINUTE,
    system: draft.system.replace("rule number 17 in its", "rule number 17 at its"),
  }))
  expect(bill.misses).toMatchObject([{ cause: "expired", idleMs: 11 * MINUTE, ttlMs: 5 * MINUTE }])
  expect(bill.misses[0]?.owner).toBeUndefined()
  // The longer lifetime would not have helped: all that was written would have been written at its higher price.
  const written = bill.tokens.written * (6 - 3.75)
  expect(bill.advice.find(({ kind }) => kind === "ttl")?.savesUsd).toBeCloseTo(-written / 1_000_000, 12)
})

test("sub-agents are compared with themselves", async () => {
  const main = callsOf(drafts(5))
  const other = callsOf(
    drafts(5, (draft) => ({ ...draft, system: lines("A helper", 80) })),
    { thread: "agent-1" },
  )
  const mixed = main.flatMap((call, at) => [call, other[at] ?? call])
  expect((await billOf(mixed)).misses).toEqual([])
})
