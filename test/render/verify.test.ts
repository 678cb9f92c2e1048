import { describe, expect, test } from "vitest"
import { type Diagnostic, sentence } from "../../src/base/diagnostic.ts"
import type { Tier } from "../../src/render/cache/cache-rule.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import type { Call, CallBlock } from "../../src/render/cache/call.ts"
import { verify } from "../../src/render/cache/verify.ts"

const SONNET = ruleFor("anthropic/claude-sonnet-4-6")
const MARKED = ruleFor("openai/gpt-5.6-sol")
const AUTOMATIC = ruleFor("openai/gpt-5.2")

function block(tier: Tier, key: string, tokens: number, breakpoint?: string): CallBlock {
  const pieces = [{ key, tokens }]
  return breakpoint === undefined ? { tier, pieces } : { tier, pieces, breakpoint }
}

function call(...blocks: readonly CallBlock[]): Call {
  return { at: 0, blocks, output: 0 }
}

function lines(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map((one) => `${one.code}: ${sentence(one)}`)
}

const head = block("system", "head", 2000, "5m")
const said = block("messages", "hello", 10, "5m")

test("a valid call has no diagnostics", () => {
  expect(verify(call(block("tools", "t", 9), head, said), { rule: SONNET })).toEqual({
    refused: [],
    uncached: [],
  })
})

describe("what a provider refuses", () => {
  const refused = (rule: typeof SONNET, ...blocks: readonly CallBlock[]) =>
    lines(verify(call(...blocks), { rule }).refused)

  test("a fifth breakpoint", () => {
    const five = ["a", "b", "c", "d", "e"].map((key) => block("messages", key, 999, "5m"))
    expect(refused(SONNET, ...five)).toEqual([
      "too-many-breakpoints: The request has 5 cache breakpoints and the provider allows 4. It would be refused.",
    ])
    expect(refused(SONNET, ...five.slice(1))).toEqual([])
  })

  test("a breakpoint on a tool if tools take none, and any if the provider has none", () => {
    expect(refused(MARKED, block("tools", "t", 5, "30m"))).toEqual([
      "breakpoint-not-allowed: The request has a cache breakpoint in its tools, where the provider allows none. It would be refused.",
    ])
    expect(refused(AUTOMATIC, head)).toEqual([
      "breakpoint-not-allowed: The request has a cache breakpoint in its system, where the provider allows none. It would be refused.",
    ])
  })

  test("an hour after five minutes, whatever the order of the list", () => {
    const late = [block("messages", "m", 9, "1h"), block("system", "s", 9999, "5m")]
    expect(refused(SONNET, ...late.toReversed())).toEqual([
      "ttl-order: A cache breakpoint with a TTL of 1h comes after one of 5m. Put longer TTLs first, or the provider refuses the request.",
    ])
    expect(refused(SONNET, block("system", "s", 9999, "1h"), block("messages", "m", 9, "5m"))).toEqual([])
  })

  test("an unknown lifetime", () => {
    expect(refused(SONNET, block("system", "s", 9999, "2d"))).toEqual([
      "unknown-ttl: A cache breakpoint has a TTL of 2d; the provider offers 5m and 1h.",
    ])
  })

  test("an empty block, but not a tool's result without text", () => {
    expect(refused(SONNET, head, { tier: "messages", pieces: [] })).toEqual([
      "empty-text-block: The request has an empty text block in its messages. It would be refused.",
    ])
    expect(refused(SONNET, block("system", "nothing", 0), said)).toEqual([
      "empty-text-block: The request has an empty text block in its system. It would be refused.",
    ])
    expect(refused(SONNET, head, block("messages", "nothing", 0))).toEqual([])
  })

  test("system text after the conversation began, unless the provider allows it", () => {
    const late = [head, block("messages", "m", 5), block("system", "late", 7)]
    expect(refused(SONNET, ...late)).toEqual([
      "late-system: The request has 7 tokens of system text after the conversation began. It would be refused.",
    ])
    expect(refused(ruleFor("claude-opus-5"), ...late)).toEqual([])
  })
})

describe("what a provider silently does not cache", () => {
  const uncached = (now: Call, previous?: Call, rule = SONNET) =>
    lines(verify(now, { rule, ...(previous && { previous }) }).uncached)

  test("a prefix below the minimum", () => {
    expect(uncached(call(block("system", "s", 1023, "5m"), block("messages", "m", 9000)))).toEqual([
      "below-minimum: A prefix of 1023 tokens is not cached: anthropic/claude caches prefixes of 1024 tokens or more. It is sent at full price.",
    ])
    expect(uncached(call(block("system", "s", 1024, "5m")))).toEqual([])
    expect(uncached(call(block("system", "s", 1000)), undefined, AUTOMATIC)).toHaveLength(1)
  })

  test("changed tools, and tools in another order", () => {
    const [a, b] = [block("tools", "a", 100), block("tools", "b", 100)]
    expect(uncached(call(b, a, head), call(a, b, head))).toEqual([
      "tools-reordered: The tools are in another order than in the previous call, so the 2200 tokens that both calls share are cached again.",
    ])
    expect(uncached(call(a, head), call(a, b, head))).toEqual([
      "tools-changed: The tools differ from the previous call, so the 2100 tokens that both calls share are cached again.",
    ])
    expect(uncached(call(a, head, block("messages", "new", 900)), call(a, b, head))).toEqual([
      "tools-changed: The tools differ from the previous call, so the 2100 tokens that both calls share are cached again.",
    ])
  })

  test("another model, or another tool choice", () => {
    const calling = (settings: Record<string, string>) => ({ ...call(head, said), settings })
    const before = calling({ model: "a", tool_choice: "auto" })
    expect(uncached(calling({ model: "b", tool_choice: "any" }), before)).toEqual([
      "setting-changed: The setting model differs from the previous call, so from the tools on, the 2010 tokens that both calls share are cached again.",
    ])
    expect(uncached(calling({ model: "a", tool_choice: "any" }), before)).toEqual([
      "setting-changed: The setting tool_choice differs from the previous call, so from the messages on, the 10 tokens that both calls share are cached again.",
    ])
    expect(uncached(calling({ model: "a", tool_choice: "auto", user: "x" }), before)).toEqual([])
  })

  test("ignored marks: a fourth if the provider sets one itself, any on a local server", () => {
    const four = ["a", "b", "c", "d"].map((key) => block("messages", key, 999, "30m"))
    expect(verify(call(...four), { rule: MARKED }).refused).toEqual([])
    expect(uncached(call(...four), undefined, MARKED)).toEqual([
      "breakpoints-ignored: The request has 4 cache breakpoints of its own and the provider uses 3. All but the last 3 are ignored.",
    ])
    expect(verify(call(head), { rule: ruleFor("vllm/qwen3") }).refused).toEqual([])
    expect(uncached(call(head), undefined, ruleFor("vllm/qwen3"))).toEqual([
      "breakpoint-without-effect: The request has a cache breakpoint, which local ignores.",
    ])
  })

  test("late system text keeps its place in the request", () => {
    const late = (text: string) =>
      call(head, said, block("system", text, 7), block("messages", "m", 50, "5m"))
    expect(uncached(late("b"), late("a"), ruleFor("claude-opus-5"))).toEqual([
      "text-after-moving: 50 tokens are the same as in the previous call but come after system text that changed. They are not read from the cache.",
    ])
  })

  test("slow text after changed text", () => {
    const turn = (clock: string) =>
      call(head, block("system", clock, 10), block("system", "rules", 500), block("messages", "m", 70, "5m"))
    expect(uncached(turn("8:01"), turn("8:00"))).toEqual([
      "text-after-moving: 570 tokens are the same as in the previous call but come after system text that changed. They are not read from the cache.",
    ])
    expect(uncached(turn("8:00"), turn("8:00"))).toEqual([])
  })

  test("more new blocks than the provider looks back", () => {
    const longer = (blocks: number) =>
      call(
        block("system", "head", 2000),
        block("messages", "hello", 10),
        ...Array.from({ length: blocks }, (_, at) =>
          block("messages", `${at}`, 5, at === blocks - 1 ? "5m" : undefined),
        ),
      )
    expect(uncached(longer(19), call(head, said))).toEqual([])
    expect(uncached(longer(20), call(head, said))).toEqual([
      "beyond-look-back: The previous call's last breakpoint is 20 blocks back and the provider looks back 20. The conversation is cached again.",
    ])
  })
})
