import fc from "fast-check"
import { expect, test } from "vitest"
import type { Level } from "../../../src/base/event-types.ts"
import { createLog, dollars, durationText } from "../../../src/record/ask/log.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"

function lines(events: readonly RecordEvent[], isTerminal: boolean, level: Level = "debug"): string {
  let text = ""
  const log = createLog({ write: (more) => (text += more), level, isTerminal })
  for (const event of events) log.append(event)
  return text
}

const at = Date.parse("2026-11-15T02:47:03.120Z")
const refused: RecordEvent = {
  type: "api_error",
  at,
  session: "abc",
  user: "alice",
  model: "claude-opus-5-5",
  error: "rate limit",
  data: { status: 429, waitMs: 1000 },
}

test("on a terminal, a line for people", () => {
  expect(lines([refused], true)).toBe(
    '2026-11-15T02:47:03.120Z error [provider] api_error user=alice session=abc model=claude-opus-5-5 status=429 wait=1s error="rate limit"\n',
  )
})

test("elsewhere, a line of JSON", () => {
  expect(lines([refused], false)).toBe(
    '{"timestamp":"2026-11-15T02:47:03.120Z","level":"error","category":"provider","type":"api_error","session":"abc","user":"alice","model":"claude-opus-5-5","error":"rate limit","data":{"status":429,"waitMs":1000}}\n',
  )
})

test("the level says what is left out", () => {
  const events: readonly RecordEvent[] = [{ type: "turn_started", at }, { type: "cache_missed", at }, refused]
  expect(lines(events, true, "info").split("\n")).toHaveLength(4)
  expect(lines(events, true, "warn").split("\n")).toHaveLength(3)
  expect(lines(events, true, "error").split("\n")).toHaveLength(2)
})

test("text of others cannot make a line of its own, colour one or hide in it", () => {
  const nasty = 'a\n2026-11-15T02:47:03Z error [router] forged\u001b[31m \u009b2J "x" \\ \u202e \u2028 \ud800'
  const event: RecordEvent = { type: "tool_error", at, error: nasty, data: { tool: nasty, [nasty]: nasty } }
  const escaped = String.raw`"a\n2026-11-15T02:47:03Z error [router] forged\u001b[31m \u009b2J \"x\" \\ \u202e \u2028 \ud800"`
  expect(lines([event], true)).toBe(
    `2026-11-15T02:47:03.120Z error [tool] ${escaped} ${escaped}=${escaped} status=error error=${escaped}\n`,
  )
})

test("whatever is in an event, its line is one line of text that can be seen, and its JSON can be read back", () => {
  const text = fc.string({ unit: "binary" })
  fc.assert(
    fc.property(text, text, fc.dictionary(text, fc.jsonValue()), (error, user, data) => {
      const event: RecordEvent = { type: "api_error", at, error, user, data }
      for (const isTerminal of [true, false]) {
        const line = lines([event], isTerminal)
        expect(line.endsWith("\n")).toBe(true)
        expect(line.slice(0, -1)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      }
      const written: unknown = JSON.parse(JSON.stringify({ error, user, data }))
      expect(JSON.parse(lines([event], false))).toMatchObject(written as object)
    }),
  )
})

test("a long value is cut, and says so", () => {
  const line = lines([{ type: "api_error", at, error: "x".repeat(1000) }], true)
  expect(line).toBe(
    `2026-11-15T02:47:03.120Z error [provider] api_error error="${"x".repeat(300)} ... 700 more characters"\n`,
  )
})

test("secrets are taken out before a line is written, in order, and a redactor that fails shows nothing", async () => {
  let text = ""
  const write = (more: string) => {
    text += more
  }
  const redact = async (texts: readonly string[]) => {
    if (texts[0]?.includes("boom")) throw new Error("no")
    return texts.map((item) => item.replaceAll("sk-1", "[key]"))
  }
  const log = createLog({ write, level: "info", isTerminal: true, redact })
  for (const error of ["sk-1", "boom", "two"]) log.append({ type: "api_error", at, error })
  await log.flush()
  const before = "2026-11-15T02:47:03.120Z error [provider] api_error error="
  expect(text).toBe(`${before}[key]\n${before}"two"\n`.replace("[key]", '"[key]"'))
})

test("a secret is taken out before a value is cut or escaped", async () => {
  let text = ""
  const redact = async (texts: readonly string[]) =>
    texts.map((item) => item.replaceAll(/KEY\n.*\nEND|tok-\w+|"q"/gs, "[gone]"))
  const write = (more: string) => {
    text += more
  }
  for (const isTerminal of [true, false]) {
    const log = createLog({ write, level: "info", isTerminal, redact })
    const data = { key: `KEY\n${"x".repeat(400)}\nEND`, "tok-1": ['"q"'] }
    log.append({ type: "api_error", at, user: "tok-u", error: `${"e".repeat(294)} tok-secret`, data })
    await log.flush()
  }
  expect(text).not.toMatch(/tok-|KEY|xxx|q/)
  expect(text.split("\n")[1]).toContain('"data":{"key":"[gone]","[gone]":["[gone]"]}')
})

test.each([
  [0, "0ms"],
  [999.4, "999ms"],
  [1000, "1s"],
  [4200, "4.2s"],
  [59_940, "59.9s"],
  [59_960, "1m 0s"],
  [200_000, "3m 20s"],
])("%d milliseconds are %s", (ms, text) => expect(durationText(ms)).toBe(text))

test.each([
  [0, "$0"],
  [12.345, "$12.35"],
  [0.12, "$0.12"],
  [0.0123, "$0.012"],
  [0.00000123, "$0.0000012"],
])("%d dollars are %s", (value, text) => expect(dollars(value)).toBe(text))
