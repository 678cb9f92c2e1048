// The simulator compared with cases calculated by hand, one family of providers after the other.
import { describe, expect, test } from "vitest"
import type { CacheRule, Tier } from "../../src/render/cache/cache-rule.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import type { Call, CallBlock } from "../../src/render/cache/call.ts"
import { lowerBound } from "../../src/render/cache/lower-bound.ts"
import type { Usage } from "../../src/render/cache/price.ts"
import { simulate } from "../../src/render/cache/simulate.ts"

const MINUTE = 60_000
const SONNET = ruleFor("anthropic/claude-sonnet-4-6")
const TERRA = ruleFor("openai/gpt-5.6-sol")
const OLD_GPT = ruleFor("openai/gpt-5.2")
const GEMINI = ruleFor("google/gemini-2.5-pro")
const BEDROCK = ruleFor("bedrock/anthropic.claude-sonnet-4-6-v1:0")
const DEEPSEEK = ruleFor("deepseek/deepseek-flash")

function block(tier: Tier, key: string, tokens: number, breakpoint?: string): CallBlock {
  const pieces = [{ key, tokens }]
  return breakpoint === undefined ? { tier, pieces } : { tier, pieces, breakpoint }
}

function call(at: number, ...blocks: readonly CallBlock[]): Call {
  return { at, blocks, output: 0 }
}

function usages(calls: readonly Call[], rule: CacheRule): readonly Omit<Usage, "output">[] {
  return simulate(calls, { rule }).calls.map(({ usage: { uncached, read, write } }) => ({
    uncached,
    read,
    write,
  }))
}

describe("Anthropic: a read hits only where an earlier call wrote a breakpoint", () => {
  const tools = block("tools", "tools", 800)
  const head = block("system", "head", 1200, "5m")

  test("the first call writes, the second reads and writes the new text", () => {
    expect(
      usages(
        [
          call(0, tools, head, block("messages", "a", 100, "5m")),
          call(1000, tools, head, block("messages", "a", 100), block("messages", "b", 50, "5m")),
        ],
        SONNET,
      ),
    ).toEqual([
      { uncached: 0, read: 0, write: { "5m": 2100 } },
      { uncached: 0, read: 2100, write: { "5m": 50 } },
    ])
  })

  test("text after the last breakpoint is always fresh", () => {
    const calls = [0, 1000].map((at) => call(at, tools, head, block("messages", "a", 100)))
    expect(usages(calls, SONNET)).toEqual([
      { uncached: 100, read: 0, write: { "5m": 2000 } },
      { uncached: 100, read: 2000, write: {} },
    ])
  })

  test("a block with slow and changing text is written every time and never read", () => {
    const calls = ["08:00", "08:01"].map((clock, at) =>
      call(at * MINUTE, {
        tier: "system",
        pieces: [
          { key: "soul", tokens: 5000 },
          { key: clock, tokens: 10 },
        ],
        breakpoint: "5m",
      }),
    )
    expect(usages(calls, SONNET)).toEqual([
      { uncached: 0, read: 0, write: { "5m": 5010 } },
      { uncached: 0, read: 0, write: { "5m": 5010 } },
    ])
  })

  test("nothing below the minimum is cached, silently", () => {
    const calls = [0, 1000].map((at) => call(at, block("system", "head", 1023, "5m")))
    expect(usages(calls, SONNET)).toEqual([
      { uncached: 1023, read: 0, write: {} },
      { uncached: 1023, read: 0, write: {} },
    ])
  })

  test("the minimum counts the whole prefix, including tools", () => {
    const calls = [0, 1000].map((at) =>
      call(at, block("tools", "t", 1000), block("system", "head", 24, "5m")),
    )
    expect(usages(calls, SONNET).at(-1)).toEqual({ uncached: 0, read: 1024, write: {} })
  })

  test("an entry expires five minutes after its last use; each use restarts the time for free", () => {
    const at = (minutes: number) => call(minutes * MINUTE, head)
    expect(usages([at(0), at(4), at(8), at(13)], SONNET).map(({ read }) => read)).toEqual([0, 1200, 1200, 0])
  })

  test("an hour costs twice as much to write and is read at the same price", () => {
    const hour = block("system", "head", 10_000, "1h")
    const { calls, units } = simulate([call(0, hour), call(59 * MINUTE, hour)], { rule: SONNET })
    expect(calls.map(({ usage }) => [usage.read, usage.write])).toEqual([
      [0, { "1h": 10_000 }],
      [10_000, {}],
    ])
    expect(units).toBe(20_000 + 1_000)
  })

  test("text between two breakpoints is written with the second one's lifetime", () => {
    expect(
      usages([call(0, block("system", "a", 3000, "1h"), block("system", "b", 700, "5m"))], SONNET),
    ).toEqual([{ uncached: 0, read: 0, write: { "1h": 3000, "5m": 700 } }])
  })

  test("a reordered tool invalidates everything", () => {
    const [read, shell] = [block("tools", "read", 500), block("tools", "shell", 600)]
    expect(usages([call(0, read, shell, head), call(1000, shell, read, head)], SONNET).at(-1)).toEqual({
      uncached: 0,
      read: 0,
      write: { "5m": 2300 },
    })
  })

  test("a breakpoint finds an earlier one 19 blocks back, but not 20", () => {
    const long = (added: number) => [
      call(0, head, block("messages", "a", 100, "5m")),
      call(
        1000,
        block("system", "head", 1200),
        block("messages", "a", 100),
        ...Array.from({ length: added }, (_, at) =>
          block("messages", `b${at}`, 10, at === added - 1 ? "5m" : undefined),
        ),
      ),
    ]
    expect(usages(long(19), SONNET).at(-1)).toEqual({ uncached: 0, read: 1300, write: { "5m": 190 } })
    expect(usages(long(20), SONNET).at(-1)).toEqual({ uncached: 0, read: 0, write: { "5m": 1500 } })
  })

  test("another model has another cache; another tool choice invalidates only the messages", () => {
    const blocks = [head, block("messages", "a", 100, "5m")]
    const next = (settings: Record<string, string>) =>
      usages(
        [
          { ...call(0, ...blocks), settings: { model: "a", tool_choice: "auto" } },
          { ...call(1, ...blocks), settings },
        ],
        SONNET,
      ).at(-1)?.read
    expect(next({ model: "a", tool_choice: "auto" })).toBe(1300)
    expect(next({ model: "a", tool_choice: "any" })).toBe(1200)
    expect(next({ model: "b", tool_choice: "auto" })).toBe(0)
  })

  test("an eviction empties the cache", () => {
    expect(usages([call(0, head), { ...call(1, head), evicts: true }], SONNET).at(-1)?.read).toBe(0)
  })

  test("a small cache evicts the least recently used text", () => {
    const other = block("system", "other", 1100, "5m")
    const calls = [
      call(0, head),
      call(1, other),
      call(2, head),
      call(3, block("system", "third", 1100, "5m")),
    ]
    const read = (capacity: number) =>
      simulate([...calls, call(4, head), call(5, other)], { rule: SONNET, capacity }).calls.map(
        ({ usage }) => usage.read,
      )
    expect(read(10_000)).toEqual([0, 0, 1200, 0, 1200, 1100])
    expect(read(2400)).toEqual([0, 0, 1200, 0, 1200, 0])
  })

  test("a read costs a twentieth on the newest models", () => {
    const calls = [0, 1].map((at) => call(at, block("system", "head", 1000, "5m")))
    expect(simulate(calls, { rule: ruleFor("claude-sonnet-5-5") }).units).toBe(1250 + 50)
  })
})

test("late system text comes after the conversation that it followed", () => {
  const late = (text: string) =>
    call(0, block("system", "head", 2000), block("messages", "a", 500, "5m"), block("system", text, 50))
  expect(usages([late("x"), late("y")], SONNET).at(-1)).toEqual({ uncached: 50, read: 2500, write: {} })
})

test.each([
  [0, false, [0, 0]],
  [1, false, [0, 3000]],
  [1, true, [0, 0]],
])(
  "with %i breakpoints allowed (one is the provider's own: %s), no more are used",
  (count, implicit, read) => {
    const rule = { ...SONNET, breakpoints: count, implicit, lookBack: undefined }
    const [a, b] = [block("system", "a", 1500, "5m"), block("system", "b", 1500, "5m")]
    const calls = [call(0, a, b, block("messages", "x", 10)), call(1, a, b, block("messages", "y", 10))]
    expect(usages(calls, rule).map((usage) => usage.read)).toEqual(read)
  },
)

test("exact figures are neither rounded nor counted in steps", () => {
  const calls = [0, 1].map((at) => call(at, block("system", "a", 1100.4)))
  const read = (exact: boolean) => simulate(calls, { rule: OLD_GPT, exact }).usage.read
  expect([read(false), read(true)]).toEqual([1024, 1100.4])
})

describe("Bedrock follows Claude's rules", () => {
  test("write, then read", () => {
    const calls = [0, 1].map((at) =>
      call(at, block("system", "head", 2000, "5m"), block("messages", "a", 10)),
    )
    expect(usages(calls, BEDROCK)).toEqual([
      { uncached: 10, read: 0, write: { "5m": 2000 } },
      { uncached: 10, read: 2000, write: {} },
    ])
  })
})

describe("OpenAI since 5.6: its own breakpoint at the end, and no lookup of unmarked prefixes", () => {
  test("the end of a request is cached without a mark", () => {
    const [a, b] = [block("system", "head", 1500), block("messages", "a", 100)]
    expect(usages([call(0, a, b), call(1, a, b, block("messages", "b", 7))], TERRA)).toEqual([
      { uncached: 0, read: 0, write: { "30m": 1600 } },
      { uncached: 0, read: 1600, write: { "30m": 7 } },
    ])
  })

  test("another conversation reads the head only if it was marked", () => {
    const second = (mark?: string) => {
      const head = block("system", "head", 1500, mark)
      return usages(
        [call(0, head, block("messages", "a", 100)), call(1, head, block("messages", "b", 100))],
        TERRA,
      )
    }
    expect(second().at(-1)?.read).toBe(0)
    expect(second("30m").at(-1)?.read).toBe(1500)
  })

  test("tools cannot carry a mark; of more than three marks the last three count", () => {
    const tools = block("tools", "tools", 2000, "30m")
    const marks = ["a", "b", "c", "d"].map((key) => block("system", key, 1000, "30m"))
    const first = call(0, tools, ...marks, block("messages", "x", 10))
    const after = (count: number) =>
      usages([first, call(1, tools, ...marks.slice(0, count), block("messages", "y", 10))], TERRA).at(-1)
        ?.read
    expect([0, 1, 2, 3].map(after)).toEqual([0, 0, 4000, 5000])
  })
})

describe("providers that find a prefix themselves", () => {
  const head = { tier: "system", pieces: ["a", "b", "c"].map((key) => ({ key, tokens: 500 })) } as const

  test("OpenAI before 5.6: whole steps of 128, from 1,024 on, and writing is free", () => {
    const changed = { ...head, pieces: [...head.pieces.slice(0, 2), { key: "C", tokens: 500 }] }
    expect(usages([call(0, head), call(1, head), call(2, changed)], OLD_GPT)).toEqual([
      { uncached: 1500, read: 0, write: {} },
      { uncached: 1500 - 1408, read: 1408, write: {} },
      { uncached: 1500, read: 0, write: {} },
    ])
  })

  test("Gemini: from 2,048 on", () => {
    const twice = (tokens: number) =>
      usages(
        [0, 1].map((at) => call(at, block("system", "a", tokens))),
        GEMINI,
      )
    expect(twice(2047).at(-1)?.read).toBe(0)
    expect(twice(2048).at(-1)?.read).toBe(2048)
  })

  test("DeepSeek: in units of 64", () => {
    expect(usages([call(0, head), call(1, head)], DEEPSEEK).at(-1)).toEqual({
      uncached: 28,
      read: 1472,
      write: {},
    })
  })

  test("turn text before the conversation invalidates it", () => {
    const talk = block("messages", "talk", 9000)
    const clock = (time: string) => block("system", time, 10)
    expect(
      usages([call(0, head, clock("1"), talk), call(1, head, clock("2"), talk)], OLD_GPT).at(-1)?.read,
    ).toBe(1408)
  })
})

test("a model without a rule caches nothing", () => {
  const calls = [0, 1].map((at) => call(at, block("system", "a", 9000, "5m")))
  expect(usages(calls, ruleFor("nobody/knows"))).toEqual([
    { uncached: 9000, read: 0, write: {} },
    { uncached: 9000, read: 0, write: {} },
  ])
})

describe("the bound", () => {
  test("a text is written once and then read; a text used only once is sent fresh", () => {
    const calls = [0, 1, 2].map((at) =>
      call(at, block("system", "a", 1000), block("system", `once ${at}`, 10)),
    )
    expect(lowerBound([calls], SONNET)).toBeCloseTo(1250 + 100 + 100 + 30)
  })

  test("uses the lifetime that is cheapest for the gaps", () => {
    const times = (...minutes: number[]) =>
      lowerBound([minutes.map((minute) => call(minute * MINUTE, block("system", "a", 1)))], SONNET)
    expect(times(0, 10)).toBeCloseTo(2)
    expect(times(0, 10, 20)).toBeCloseTo(2.2)
    expect(times(0, 120)).toBeCloseTo(2)
  })

  test("is the minimum over layouts that send different texts", () => {
    const short = [call(0, block("system", "a", 1000))]
    const long = [call(0, block("system", "a", 1000), block("system", "edit", 500))]
    expect(lowerBound([long, short], SONNET)).toBe(1000)
  })

  test("a text that a call contains twice is paid twice", () => {
    const twice = [0, 1].map((at) => call(at, block("system", "a", 100), block("messages", "a", 100)))
    expect(lowerBound([twice], SONNET)).toBeCloseTo(2 * (125 + 10))
  })

  test("a text repeated very often in a call takes no longer than many texts", () => {
    const often = Array.from({ length: 20_000 }, () => block("messages", "read {}", 1))
    expect(lowerBound([[call(0, ...often)]], SONNET)).toBe(20_000)
  })

  test("no simulated layout is cheaper", () => {
    const calls = [0, 1, 2, 3].map((at) =>
      call(at * MINUTE, block("system", "a", 3000, "5m"), block("messages", `m${at}`, 100, "5m")),
    )
    expect(simulate(calls, { rule: SONNET }).units).toBeGreaterThanOrEqual(lowerBound([calls], SONNET))
  })
})
