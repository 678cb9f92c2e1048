// Each kind of advice with its figure: who gets it, who doesn't, and that no more is said than is known.
import { expect, test } from "vitest"
import { advise } from "../../../src/capture/bill/advice/advise.ts"
import { instructionAdvice } from "../../../src/capture/bill/advice/advise-prompt.ts"
import { largeFileAdvice, trimAdvice } from "../../../src/capture/bill/advice/advise-results.ts"
import type { WhatIfs } from "../../../src/capture/bill/advice/what-if.ts"
import type { OwnerCost } from "../../../src/capture/bill/bill.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import type { Usage } from "../../../src/render/cache/price.ts"
import { billOf } from "./bill-of.ts"
import { MINUTE, MODEL, START } from "./conversation.ts"

function result(name: string, input: string, rest: Partial<OwnerCost> = {}): OwnerCost {
  return {
    ...{ kind: "tool-result", match: "exact", group: "tool-results", name, input },
    ...{ tokens: 24_000, carriedTokens: 90_000, calls: 30, carriedUsd: 2, times: 4, sent: 40, ...rest },
  }
}

test("a command whose output is long and came often is trimmed to about forty lines", () => {
  expect(trimAdvice([result("Bash", "cd /work && npm test")])).toEqual([
    {
      kind: "trim-results",
      text: "Trim the output of `npm test`: it ran 4 times, and each 6,000-token log was sent again about 9 times.",
      command: "npm test 2>&1 | tail -40",
      savesUsd: 1.8,
      simulated: true,
    },
  ])
  // Three times is often, twice is not.
  expect(trimAdvice([result("Bash", "npm test", { times: 3 })])).toHaveLength(1)
  expect(trimAdvice([result("Bash", "npm test", { times: 2 })])).toEqual([])
  expect(trimAdvice([result("Bash", "npm test", { tokens: 4 * 1_499 })])).toEqual([])
  // Another tool, a sum of many, a price that nobody knows.
  expect(trimAdvice([result("Read", "a.ts")])).toEqual([])
  expect(trimAdvice([result("Bash", "", { others: 7 })])).toEqual([])
  expect(trimAdvice([result("Bash", "npm test", { carriedUsd: null })])).toEqual([])
  // A command that goes on by itself cannot simply be continued.
  expect(trimAdvice([result("Bash", "npm test; date")])[0]?.command).toBeUndefined()
})

test("a large file: not at all if a program wrote it, else only a part", () => {
  const lock = largeFileAdvice([result("Read", "/home/ada/pnpm-lock.yaml")], "claude-code")
  expect(lock).toEqual([
    {
      kind: "large-file",
      text: "Don't read pnpm-lock.yaml: 4 reads of 6,000 tokens rode along for 30 calls.",
      command: '"permissions": { "deny": ["Read(**/pnpm-lock.yaml)"] }',
      savesUsd: 2,
      simulated: true,
    },
  ])
  const code = largeFileAdvice([result("read", "/home/ada/src/lamp.ts", { times: 1, calls: 1 })], "pi")
  expect(code).toMatchObject([
    {
      text: "Read only the part of lamp.ts that you need: one read of 24,000 tokens rode along for 1 call.",
      savesUsd: 2 * (1 - 600 / 24_000),
    },
  ])
  expect(code[0]?.command).toBeUndefined()
  expect(largeFileAdvice([result("Read", "a.ts", { tokens: 4 * 3_999 })], "pi")).toEqual([])
})

test("half of the largest instruction file", () => {
  const file = (path: string, tokens: number): OwnerCost => ({
    ...{ kind: "file", match: "exact", group: "instructions", path, tokens, carriedTokens: 1, calls: 7 },
    carriedUsd: 3,
  })
  expect(instructionAdvice([file("/home/ada/AGENTS.md", 2_000), file("/home/ada/b.md", 1_900)])).toEqual([
    {
      kind: "instructions",
      text: "Halve AGENTS.md: its 2,000 tokens were sent with 7 calls.",
      savesUsd: 1.5,
      simulated: true,
    },
  ])
  expect(instructionAdvice([file("/home/ada/AGENTS.md", 1_999)])).toEqual([])
})

const NOTHING: WhatIfs = {
  ttls: [],
  noCache: { savesUsd: 0, calls: 0 },
  longPauses: { savesUsd: 0, calls: 0, tokens: 0 },
}

test("at most five that save, none saves more than was paid, and one that does not", () => {
  const ttl = (savesUsd: number) => ({ from: "5m", to: "1h", savesUsd, calls: 1 })
  const facts = {
    ...({ owners: [], missGroups: [], client: "claude-code", isWellKnown: () => true } as const),
    costUsd: 10,
  }
  const given = [9, 8, 7, 6, 5, 4, 30, 0.05, 0.049, -1, -2]
  const advice = advise({ ...facts, whatIfs: { ...NOTHING, ttls: given.map(ttl) } })
  expect(advice.map(({ savesUsd }) => savesUsd)).toEqual([10, 9, 8, 7, 6, -2])
  const few = advise({ ...facts, whatIfs: { ...NOTHING, ttls: [0.05, 0.049].map(ttl) } })
  expect(few.map(({ kind, savesUsd }) => [kind, savesUsd])).toEqual([
    ["ttl", 0.05],
    ["edits", 0],
  ])
  expect(advise({ ...facts, costUsd: 0, whatIfs: NOTHING })).toEqual([])
})

function calls(
  usages: readonly (readonly [minutes: number, usage: Partial<Usage>])[],
): readonly CapturedCall[] {
  return usages.map(([minutes, usage], at) => ({
    ...{ id: `c${at}`, client: "claude-code", session: "s1", thread: "main", model: MODEL },
    ...{ format: "anthropic", coverage: "none", files: [], at: START + minutes * MINUTE },
    usage: { uncached: 0, read: 0, write: {}, output: 0, ...usage },
  }))
}

test("a session that goes on after its cache had expired for good: its first request would have been sent anyway", async () => {
  const bill = await billOf(
    calls([
      [0, { write: { "1h": 10_000 } }],
      [1, { read: 10_000, write: { "1h": 30_000 } }],
      [100, { write: { "1h": 41_000 } }],
    ]),
  )
  // 40,000 were written again, 10,000 of them what the conversation began with.
  expect(bill.advice.find(({ kind }) => kind === "pauses")).toMatchObject({
    text: "Start a new session after a long break. 1 call continued a session after its cache had expired, and 30,000 tokens of old conversation were written again.",
    savesUsd: (30_000 * 6) / 1_000_000,
  })
})

test("what was read after a pause because it lived longer is only what lived longer", async () => {
  // After twenty minutes, ten thousand tokens could be read: they were written for an hour.
  const read = await billOf(
    calls([
      [0, { write: { "1h": 10_000 } }],
      [20, { read: 10_000 }],
    ]),
  )
  const saved = (10_000 * (6 - 3.75) + 10_000 * (0.3 - 3.75)) / 1_000_000
  expect(read.advice.find(({ kind }) => kind === "ttl")?.savesUsd).toBeCloseTo(saved, 12)
  // Here nothing was ever written for an hour, whatever the provider still had.
  const lucky = await billOf(
    calls([
      [0, { write: { "5m": 10_000 } }],
      [20, { read: 10_000 }],
    ]),
  )
  expect(lucky.advice.find(({ kind }) => kind === "ttl")?.savesUsd).toBeCloseTo(
    (10_000 * (3.75 - 6)) / 1_000_000,
    12,
  )
})

test("a longer lifetime saves no more of a loss than was written again", async () => {
  const bill = await billOf(
    calls([
      [0, { write: { "5m": 10_000 } }],
      [20, { uncached: 5_000, write: { "5m": 5_000 } }],
    ]),
  )
  const saved = (10_000 * (3.75 - 6) + 5_000 * (3.75 - 0.3)) / 1_000_000
  expect(bill.advice.find(({ kind }) => kind === "ttl")?.savesUsd).toBeCloseTo(saved, 12)
})
