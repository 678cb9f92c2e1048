// Calls of another client with texts that are made to be slow or to be mistaken, in the view of a prompt.
import { expect, test } from "vitest"
import { apiSurface } from "../../src/serve/api/api-surface.ts"
import type { PageSource } from "../../src/serve/page/page-source.ts"
import type { CallDetail, CallRow, ShownPart, ShownSession } from "../../src/serve/page/shown.ts"
import { openTestGateway } from "../serve/gateway.ts"
import { widerThanWindow } from "./axe.ts"
import { openPage } from "./browser.ts"
import { expectHarmless, HOSTILE, TALL } from "./hostile.ts"

const START = Date.UTC(2026, 10, 18, 9)
const MILLION = 1_000_000
const SESSIONS = 10_000

const TEXTS = [
  HOSTILE,
  TALL,
  `a${"\u0301".repeat(MILLION)}`,
  "W".repeat(MILLION),
  "\u202e\u200b".repeat(MILLION / 10),
  "\ud83d".repeat(MILLION / 10),
]

function partOf(text: string): ShownPart {
  const whole = { start: 0, end: text.length, section: null }
  const owner = { kind: "file", path: HOSTILE, lines: [1, 9], name: HOSTILE, match: "exact" } as const
  // As they would be if somebody had changed what was recorded.
  const odd = { start: text.length + 5, end: 2 ** 40, section: "__proto__", owner: null }
  return {
    ...{ tier: "messages", kind: "tool-result", role: HOSTILE, tool: HOSTILE, text, tokens: 100, pace: null },
    ...{ breakpoint: HOSTILE, cache: { read: 50, written: 40, uncached: 10 }, costUsd: 1, spans: [] },
    ...(text.length < 9_000 && { spans: [{ ...whole, owner }, { ...whole, owner }, odd] }),
  }
}

/** Of a file whose path names another machine. */
const ELSEWHERE: ShownPart = {
  ...partOf("x"),
  spans: [
    {
      ...{ start: 0, end: 1, section: null },
      owner: { kind: "file", path: "//evil.example/x", lines: [1, 1], match: "exact" },
    },
  ],
}

const ROW: CallRow = {
  ...{
    id: "a b?d#e\u202e",
    session: "0",
    turn: HOSTILE,
    step: 0,
    at: START,
    model: HOSTILE,
    client: HOSTILE,
  },
  ...{ usage: { read: 350, written: 280, uncached: 70, output: 1 }, costUsd: 1, isSimulated: false },
  miss: {
    ...{ cause: HOSTILE, tokens: 5, costUsd: 1, sentence: HOSTILE, path: HOSTILE, line: 3 },
    ...{ before: HOSTILE, after: TALL },
  },
  error: HOSTILE,
}

const SHOWN: readonly ShownSession[] = Array.from({ length: SESSIONS }, (_, at) => ({
  ...{ id: String(at), title: `${HOSTILE} ${at}`, client: HOSTILE, who: HOSTILE, calls: 1 },
  ...{ firstAt: START, lastAt: START, costUsd: 1 },
}))

const SUMS = { calls: 2, usage: { read: 3, written: 2, uncached: 1, output: 1 }, costUsd: 1, unpriced: 1 }
const NEWEST = { session: "0", call: ROW.id }
const costOf = (key: string) => ({ ...SUMS, key, title: HOSTILE, who: HOSTILE, newest: NEWEST })
/** As a client could have written the times of its calls, in the order of the server. */
const DAYS = ["-271821-04", "0001-01-01", "10000-01-0", "2026-11-18", "9999-12-31"]

const SOURCE: PageSource = {
  ...{ id: "captures", title: HOSTILE },
  sessions: async (_reader, { after = "0", limit }) => {
    const end = Number(after) + limit
    return { sessions: SHOWN.slice(Number(after), end), next: end < SESSIONS ? String(end) : null }
  },
  calls: async () => ({
    calls: [ROW, { ...ROW, id: "second", miss: { ...ROW.miss!, path: null } }],
    earlier: null,
  }),
  async call(_reader, id): Promise<CallDetail> {
    const parts = id === "second" ? [partOf(HOSTILE), partOf(TALL), ELSEWHERE] : TEXTS.map(partOf)
    return {
      ...{ call: { ...ROW, id }, report: null, parts, request: { [HOSTILE]: HOSTILE } },
      ...{ isExact: false, redacted: [HOSTILE], answer: HOSTILE, cacheRates: null },
    }
  },
  costs: async (_reader, { by }) => ({
    ...{ by, ways: ["owner", "session", "day"], notes: [HOSTILE], isOpen: true, total: SUMS },
    rows: by === "owner" ? [] : (by === "day" ? DAYS : [HOSTILE]).map(costOf),
    owners:
      by === "owner"
        ? [
            {
              ...{ key: HOSTILE, title: HOSTILE, group: "files", tokens: 5, carriedTokens: 9, calls: 2 },
              ...{ carriedUsd: 1, others: 0, newest: NEWEST },
              owner: { kind: "file", path: HOSTILE, lines: [1, 9], name: HOSTILE, match: "exact" },
            },
          ]
        : [],
  }),
  simulated: async (_reader, session) => ({
    ...{ session, calls: 2, recordedUsd: 1, why: null, notes: [HOSTILE] },
    ways: (["sent", "ttl", "layout", "provider"] as const).map((kind) => ({
      ...{ kind, title: HOSTILE, model: HOSTILE, hitRatio: 0.5, usage: SUMS.usage, costUsd: 1 },
      rule: { id: HOSTILE, source: HOSTILE, date: HOSTILE },
    })),
  }),
  carried: async (_reader, { lines }) => ({
    ...{ path: HOSTILE, lines, calls: 3, tokens: 66, costUsd: 1, firstAt: START, lastAt: START },
    ...{ ids: [ROW.id], isWhole: false },
  }),
}

test("a path that names another machine is opened in no editor", async () => {
  const gateway = await openTestGateway({
    surfaces: (services) => [apiSurface({ ...services, sources: () => [SOURCE] })],
  })
  const { secret: token } = await gateway.token({ user: undefined, scopes: ["read", "operate"] })
  const section = "file://evil.example/x:"
  const at = `/?${new URLSearchParams({ view: "prompt", source: "captures", call: "second", section })}`
  const { page } = await openPage({ url: gateway.url, token, at })
  await page.getByRole("button", { name: "Copy path" }).waitFor()
  expect(await page.getByRole("link", { name: "Open in editor" }).count()).toBe(0)
})

/** The same texts where the views of money show them. */
for (const [view, seen] of [
  ["cache", ".cache-misses, .miss-head"],
  ["cost", ".money-table"],
  ["cost&by=session", ".money-table"],
  ["cost&by=day", ".money-table"],
  ["diff", ".diff-sum"],
] as const)
  test(`hostile texts of other clients look like nothing else in ${view}`, async () => {
    const gateway = await openTestGateway({
      surfaces: (services) => [apiSurface({ ...services, sources: () => [SOURCE] })],
    })
    for (const width of [1280, 360]) {
      const { secret: token } = await gateway.token({ user: undefined, scopes: ["talk", "read", "operate"] })
      const { page } = await openPage({
        url: gateway.url,
        width,
        token,
        at: `/?source=captures&view=${view}`,
      })
      await page.locator(seen).first().waitFor()
      const simulate = page.getByRole("button", { name: "Simulate" })
      if (await simulate.isVisible()) {
        await simulate.click()
        await page.getByRole("row", { name: /evil/ }).first().waitFor()
      }
      await expectHarmless(page)
      expect(await widerThanWindow(page)).toEqual([])
    }
  })

test("hostile texts of other clients run nothing, look like nothing else, and are shown in bounded time", async () => {
  const gateway = await openTestGateway({
    surfaces: (services) => [apiSurface({ ...services, sources: () => [SOURCE] })],
  })
  for (const width of [1280, 360]) {
    const call = width === 1280 ? "second" : ROW.id
    const at = `/?${new URLSearchParams({ view: "prompt", source: "captures", call })}`
    const { secret: token } = await gateway.token({ user: undefined, scopes: ["talk", "read", "operate"] })
    const { page } = await openPage({ url: gateway.url, width, token, at })
    await page.locator(".text-row").first().waitFor()
    for (const row of await page.locator(".sections button.row").all())
      if (await row.isVisible()) await row.click()
    await expectHarmless(page)
    expect(await widerThanWindow(page)).toEqual([])
    // However long a line is, a row of it is not.
    const longest = () =>
      page.evaluate(() =>
        Math.max(...[...document.querySelectorAll(".text-row")].map((row) => row.textContent.length)),
      )
    expect(await longest()).toBeLessThan(5_000)
  }
})
