// Owners add up to the bill, whatever is known of the requests; what an owner cost is what the simulator would save
// without it; and there are never too many of them.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { NOT_RECORDED, REST_NOT_RECORDED } from "../../../src/capture/bill/bill.ts"
import { groupCosts } from "../../../src/capture/bill/owners/groups.ts"
import { createOwnerLedger } from "../../../src/capture/bill/owners/owner-ledger.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import type { CaptureFile } from "../../../src/capture/clients/reader.ts"
import { inputOf } from "../../../src/render/cache/price.ts"
import { billOf } from "./bill-of.ts"
import { callsOf, drafts, inputUsd, MODEL, PRICE, readerOf, simulated } from "./conversation.ts"

const coverage = fc.constantFrom("exact" as const, "partial" as const, "none" as const)
const tokens = fc.integer({ min: 0, max: 50_000 })
const usage = fc.record({
  uncached: tokens,
  read: tokens,
  write: fc.dictionary(fc.constantFrom("5m", "1h"), tokens),
  output: tokens,
})

describe("the owners of all calls", () => {
  test("add up to what they cost, whatever is known of them", async () => {
    const sent = callsOf(drafts(6))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ coverage, usage, model: fc.constantFrom(MODEL, "unknown-model") }), {
          minLength: 1,
          maxLength: 6,
        }),
        async (made) => {
          const calls = made.map((one, at): CapturedCall => {
            const call = sent[at] as CapturedCall
            return { ...call, ...one, ...(one.coverage === "none" && { request: undefined }) }
          })
          const bill = await billOf(calls, { priceOf: (model) => (model === MODEL ? PRICE : null) })
          const sum = bill.owners.reduce((all, { carriedUsd }) => all + (carriedUsd ?? 0), 0)
          expect(Math.abs(sum - (bill.costUsd ?? 0))).toBeLessThan(1e-9)
          const groups = bill.groups.reduce((all, { costUsd }) => all + (costUsd ?? 0), 0)
          expect(Math.abs(groups - sum)).toBeLessThan(1e-9)
          expect(bill.unpriced).toBe(made.filter(({ model }) => model !== MODEL).length)
          expect(bill.estimatedCalls).toBe(made.filter((one) => one.coverage !== "exact").length)
          const { uncached, read, written, output } = bill.tokens
          const sentTokens = bill.owners.reduce((all, { carriedTokens }) => all + carriedTokens, 0)
          expect(Math.abs(sentTokens - (uncached + read + written + output))).toBeLessThan(bill.owners.length)
        },
      ),
      { numRuns: 150, seed: 11 },
    )
  })

  test("cost what the simulator saves without them", async () => {
    const bill = await billOf(callsOf(drafts(8)))
    const tides = bill.groups.find(({ group }) => group === "mcp")
    const [, with4] = [0, simulated(drafts(8))]
    const with2 = simulated(drafts(8, (draft) => ({ ...draft, tools: ["Bash", "Read"] })))
    const saved = with4.reduce((sum, one, at) => sum + inputUsd(one) - inputUsd(with2[at] ?? one), 0)
    expect(tides?.costUsd).toBeCloseTo(saved, 12)
    expect(bill.advice.find(({ kind }) => kind === "mcp-server")?.savesUsd).toBeCloseTo(saved, 12)
  })

  test("know how often a tool was called and how often a command ran", async () => {
    const bill = await billOf(callsOf(drafts(8)))
    expect(bill.owners.find(({ kind, name }) => kind === "tool" && name === "Bash")?.used).toBe(7)
    expect(bill.owners.find(({ kind, name }) => kind === "tool" && name === "Read")?.used).toBe(0)
    expect(bill.owners.find(({ input }) => input === "make task-2")).toMatchObject({ times: 1, calls: 5 })
  })

  test("are the client's own where nothing is recorded, and the bill says so", async () => {
    const bill = await billOf(callsOf(drafts(3), { coverage: "none" }))
    expect(bill.owners.map(({ kind, name, calls }) => [kind, name, calls])).toEqual([
      ["client", NOT_RECORDED, 3],
      ["output", undefined, 3],
    ])
    expect(bill).toMatchObject({ exact: false, estimatedCalls: 3 })
    expect(bill.estimated).toMatchObject([{ client: "claude-code", coverage: "none", calls: 3 }])
  })
})

test("too many owners become one for each kind, and the sum stays whole", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 100 })), {
        maxLength: 600,
      }),
      fc.integer({ min: 1, max: 50 }),
      (charges, most) => {
        const ledger = createOwnerLedger(most)
        for (const [name, cents] of charges) {
          ledger.nextCall()
          const owner = { kind: "tool-result", name: "Bash", input: `make ${name}`, match: "exact" } as const
          ledger.charge({ owner, tokens: cents, sentTokens: cents, costUsd: cents / 100, isNew: true })
        }
        const owners = ledger.owners(most)
        expect(owners.length).toBeLessThanOrEqual(most + 1)
        const sum = owners.reduce((all, { carriedUsd }) => all + (carriedUsd ?? 0), 0)
        expect(sum).toBeCloseTo(
          charges.reduce((all, [, cents]) => all + cents / 100, 0),
          9,
        )
        expect(owners.filter(({ others }) => others !== undefined).length).toBeLessThanOrEqual(1)
      },
    ),
    { numRuns: 200, seed: 5 },
  )
})

test("what a partly recorded request does not hold is not put down to its owners", async () => {
  const [call] = callsOf(drafts(1), { coverage: "partial" })
  if (call === undefined) throw new Error("no call")
  const input = inputOf(call.usage)
  // Nine times what the recorded part may have used.
  const usage = { uncached: 9 * input, read: 0, write: {}, output: 0 }
  const bill = await billOf([{ ...call, usage }])
  const rest = bill.owners.find(({ name }) => name === REST_NOT_RECORDED)
  expect(rest?.carriedTokens).toBeGreaterThan(7 * input)
  expect(rest?.carriedTokens).toBeLessThan(9 * input)
})

test("an image in a tool's result is paid for by that result", async () => {
  const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo".repeat(100) }
  const content = [
    { type: "text", text: "Here it is." },
    { type: "image", source },
  ]
  const messages = [
    { role: "user", content: "Look at the lamp." },
    { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: { path: "x.png" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content }] },
  ]
  const [call] = callsOf(drafts(1))
  const bill = await billOf(call === undefined ? [] : [{ ...call, request: { model: MODEL, messages } }])
  const sum = bill.owners.reduce((all, { carriedUsd }) => all + (carriedUsd ?? 0), 0)
  expect(sum).toBeCloseTo(bill.costUsd ?? 0, 12)
  expect(bill.groups[0]?.group).toBe("tool-results")
})

test("a command's description is shown by its file, a tool by its name", () => {
  const figures = { tokens: 1, carriedTokens: 1, calls: 1, carriedUsd: 1, match: "exact" as const }
  const path = "/work/.claude/commands/look.md"
  const groups = groupCosts([
    { ...figures, kind: "field", group: "instructions", path, name: "look" },
    { ...figures, kind: "tool-result", group: "tool-results", path, name: "Read" },
  ])
  expect(groups.map(({ group, items }) => [group, items[0]?.name])).toEqual([
    ["instructions", "look.md"],
    ["tool-results", "Read"],
  ])
})

test("a call that is gone when requests are read is not recorded, and still adds up", async () => {
  const calls = callsOf(drafts(2))
  const reader = readerOf({ "/calls.jsonl": calls })
  const isFirst = async function* (file: CaptureFile) {
    for await (const read of reader.calls(file))
      if (read.kind === "call" && read.call.id === calls[0]?.id) yield read
  }
  const bill = await billOf(calls, { readers: [{ ...reader, calls: isFirst }] })
  const sum = bill.owners.reduce((all, { carriedUsd }) => all + (carriedUsd ?? 0), 0)
  expect(sum).toBeCloseTo(bill.costUsd ?? 0, 12)
  expect(bill).toMatchObject({ calls: 2, exact: false, estimatedCalls: 1 })
  expect(bill.owners.find(({ name }) => name === NOT_RECORDED)?.calls).toBe(1)
})
