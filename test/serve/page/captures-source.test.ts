// Captured calls as the page gets them: the sessions and figures of the bill, each call with the parts that were sent,
// whose they are and what they cost, and nothing for anybody but operators.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { makeBill } from "../../../src/capture/bill/make-bill.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { READERS_OF_NAMED } from "../../../src/capture/clients/readers.ts"
import { createRedactor } from "../../../src/record/redact/redactor.ts"
import { inputOf } from "../../../src/render/cache/price.ts"
import { redactedValue } from "../../../src/serve/page/captures/redacted.ts"
import type { CallDetail, CallRow, ShownPart } from "../../../src/serve/page/shown.ts"
import { callsOf, drafts, FIRST, inputUsd, lines, MINUTE, priceOf } from "../../capture/bill/conversation.ts"
import { addCalls, OPERATOR, sourceOver, writeCalls } from "./captured-files.ts"

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "incipit-captured-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function billFor(path: string) {
  return makeBill({
    ...{ machine: { home: path, variables: {} }, readers: READERS_OF_NAMED, folders: [path] },
    ...{ timeZone: "UTC", priceOf },
  })
}

type Source = ReturnType<typeof sourceOver>["source"]

async function sessionsOf(source: Source, limit = 50) {
  return (await source.sessions(OPERATOR, { limit })).sessions
}

/** All rows of a session, in pages of a few. */
async function rowsOf(source: Source, session: string, limit = 3): Promise<readonly CallRow[]> {
  let rows: readonly CallRow[] = []
  for (let before: string | null | undefined; before !== null; ) {
    const page = await source.calls(OPERATOR, { session, limit, before })
    rows = [...(page?.calls ?? []), ...rows]
    before = page?.earlier ?? null
  }
  return rows
}

async function detailOf(source: Source, { id }: CallRow): Promise<CallDetail> {
  const detail = await source.call(OPERATOR, id)
  if (detail === undefined) throw new Error(`there is no call ${id}`)
  return detail
}

function sumOf(parts: readonly ShownPart[], value: (part: ShownPart) => number): number {
  return parts.reduce((sum, part) => sum + value(part), 0)
}

/** Nine calls with an edit of the system text, and a pause; a helper's beside them; then a session without requests. */
function calls(project: string): readonly CapturedCall[] {
  const edited = (draft: typeof FIRST, at: number) => ({
    ...draft,
    at: draft.at + (at >= 6 ? 41 * MINUTE : 0),
    system: at >= 4 ? draft.system.replace("rule number 9 in", "rule number 9 at") : draft.system,
  })
  const helper = drafts(3, (draft) => ({
    ...draft,
    at: draft.at + 5 * MINUTE,
    system: lines("A helper", 90),
  }))
  const later = drafts(2, (draft) => draft, { ...FIRST, at: FIRST.at + 60 * 24 * MINUTE })
  return [
    ...callsOf(drafts(9, edited), { project }),
    ...callsOf(helper, { thread: "agent-1", project }),
    ...callsOf(later, { session: "s2", coverage: "none", project }),
  ]
}

test("sessions, calls, costs and misses are those of the bill", async () => {
  const path = folder()
  const all = calls("/work/tides")
  // A session that was resumed has its beginning in two files: it counts once.
  writeCalls(path, "one.jsonl", all.slice(0, 6))
  writeCalls(path, "two.jsonl", all)
  const { source } = sourceOver(path)
  const bill = await billFor(path)
  const sessions = await sessionsOf(source)
  expect(
    sessions.map(({ title, client, calls: count, firstAt, lastAt, costUsd }) => [
      title,
      client,
      count,
      firstAt,
      lastAt,
      costUsd?.toFixed(6),
    ]),
  ).toEqual(
    bill.bySession
      .toSorted((one, other) => other.to - one.to)
      .map((sum) => ["tides", "Claude Code", sum.calls, sum.from, sum.to, sum.costUsd?.toFixed(6)]),
  )
  const rows = (await Promise.all(sessions.map(({ id }) => rowsOf(source, id)))).flat()
  expect(rows).toHaveLength(bill.calls)
  const missed = rows.flatMap(({ miss }) => miss ?? [])
  const costs = (some: readonly { readonly costUsd: number | null }[]) =>
    some.map(({ costUsd }) => costUsd?.toFixed(6)).toSorted()
  expect(costs(missed)).toEqual(costs(bill.misses))
  expect(missed.length).toBeGreaterThan(1)
})

test("calls are in the order of time, and a helper's are a thread of their own", async () => {
  const path = folder()
  writeCalls(path, "calls.jsonl", calls("/work/tides"))
  const { source } = sourceOver(path)
  const [, first] = await sessionsOf(source)
  const rows = await rowsOf(source, first?.id ?? "")
  expect(rows.map(({ turn, step, at }) => `${(at - FIRST.at) / MINUTE} ${turn} ${step}`)).toEqual([
    ...["0 main 1", "1 main 2", "2 main 3", "3 main 4", "4 main 5", "5 main 6", "5 agent-1 1"],
    ...["6 agent-1 2", "7 agent-1 3", "47 main 7", "48 main 8", "49 main 9"],
  ])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows.flatMap(({ miss }) => miss?.sentence ?? [])).toEqual([
    "Text before the conversation changed: the client: system, “The agent keeps rule number 9 in its own words.” → “The agent keeps rule number 9 at its own words.”.",
    "The cache expired: 42 min since the last call, and it lives 5 min.",
  ])
})

test("the parts of a call add up to what was used and paid for, and their stretches to their texts", async () => {
  const path = folder()
  const all = calls("/work/tides")
  writeCalls(path, "calls.jsonl", all)
  const { source } = sourceOver(path)
  const [, first] = await sessionsOf(source)
  for (const row of await rowsOf(source, first?.id ?? "")) {
    const { parts, request, isExact, incomplete, call } = await detailOf(source, row)
    const sent = all.find(({ at, thread }) => at === row.at && thread === row.turn)
    if (sent === undefined) throw new Error("not a call of ours")
    expect(call).toEqual(row)
    expect(request).toEqual(sent.request)
    expect([isExact, incomplete]).toEqual([true, undefined])
    expect(sumOf(parts, ({ tokens }) => tokens)).toBe(inputOf(sent.usage))
    expect(sumOf(parts, ({ cache }) => cache?.read ?? 0)).toBe(row.usage?.read)
    expect(sumOf(parts, ({ cache }) => cache?.written ?? 0)).toBe(row.usage?.written)
    expect(sumOf(parts, ({ costUsd }) => costUsd ?? 0)).toBeCloseTo(inputUsd(sent.usage), 9)
    for (const { text, spans } of parts) {
      expect(spans.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text)
      expect(spans.every(({ owner }) => owner !== null)).toBe(true)
    }
  }
})

test("of a call without its request, the page says so", async () => {
  const path = folder()
  writeCalls(path, "calls.jsonl", calls("/work/tides"))
  const { source } = sourceOver(path)
  const [second] = await sessionsOf(source)
  const [row] = await rowsOf(source, second?.id ?? "")
  if (row === undefined) throw new Error("there is no call")
  const { parts, request, isExact, incomplete } = await detailOf(source, row)
  expect({ request, isExact }).toEqual({ request: null, isExact: false })
  expect(incomplete?.why).toBe("recorded by a version that does not keep its requests")
  expect(parts.map(({ text, spans, tokens }) => ({ text, owner: spans[0]?.owner?.name, tokens }))).toEqual([
    {
      text: "",
      owner: "request not recorded",
      tokens: (row.usage?.uncached ?? 0) + (row.usage?.read ?? 0) + (row.usage?.written ?? 0),
    },
  ])
})

test("a line of a file leads to every call that it rode in", async () => {
  const path = folder()
  const project = join(path, "project")
  mkdirSync(project)
  const rules = lines("The harbour", 30)
  writeFileSync(join(project, "CLAUDE.md"), rules)
  const told = drafts(4, (draft) => ({
    ...draft,
    instructions: `Contents of ${project}/CLAUDE.md:\n\n${rules}`,
  }))
  writeCalls(path, "calls.jsonl", callsOf(told, { project }))
  const { source } = sourceOver(path)
  const asked = { path: join(project, "CLAUDE.md"), lines: [1, 30] as const }
  const all = await source.carried(OPERATOR, asked)
  expect(all).toMatchObject({ calls: 4, firstAt: FIRST.at, lastAt: FIRST.at + 3 * MINUTE, isWhole: true })
  const [session] = await sessionsOf(source)
  const rows = await rowsOf(source, session?.id ?? "")
  expect(all.ids).toEqual(rows.map(({ id }) => id))
  const half = await source.carried(OPERATOR, { ...asked, lines: [1, 15], session: session?.id })
  expect(half.tokens / all.tokens).toBeCloseTo(0.5, 2)
  expect((half.costUsd ?? 0) / (all.costUsd ?? 1)).toBeCloseTo(0.5, 2)
  expect((await source.carried(OPERATOR, { ...asked, lines: [31, 40] })).calls).toBe(0)
  for (const reader of [
    { ...OPERATOR, scopes: ["talk", "read"] as const },
    { ...OPERATOR, trust: "inner" as const },
  ])
    expect(await source.carried(reader, asked)).toMatchObject({ calls: 0, tokens: 0, costUsd: null, ids: [] })
})

test("a file that grows is read again, and each of its calls counts once", async () => {
  const path = folder()
  const all = callsOf(drafts(6))
  const file = writeCalls(path, "calls.jsonl", all.slice(0, 4))
  const { source, index } = sourceOver(path)
  const [session] = await sessionsOf(source)
  expect((await rowsOf(source, session?.id ?? "")).length).toBe(4)
  const told = Promise.withResolvers<void>()
  let times = 0
  const end = source.watch?.(() => {
    times += 1
    if (times > 1) told.resolve()
  })
  await index.whole
  addCalls(file, all.slice(4))
  await told.promise
  end?.()
  expect((await sessionsOf(source)).map(({ id, calls: count }) => [id, count])).toEqual([[session?.id, 6]])
  expect((await rowsOf(source, session?.id ?? "")).length).toBe(6)
  rmSync(file)
  expect([await index.refresh(), await sessionsOf(source)]).toEqual([true, []])
})

test("keys do not reach the page, and the rest of a text keeps its owners", async () => {
  const path = folder()
  const key = `sk-ant-api03-${"Zk3".repeat(31)}`
  const told = drafts(3, (draft, at) => ({
    ...draft,
    system: at !== 1 ? draft.system : draft.system.replace("rule number 9 in", `rule number 9, ${key}, in`),
    steps: draft.steps.map((step) => ({
      ...step,
      command: `curl -H 'x-api-key: ${key}'`,
      result: `It is ${key}.`,
    })),
  }))
  writeCalls(path, "calls.jsonl", callsOf(told, { project: `/work/${key}` }))
  const { source } = sourceOver(path)
  const [session] = await sessionsOf(source)
  const rows = await rowsOf(source, session?.id ?? "")
  const detail = await detailOf(source, rows[1] ?? ({} as CallRow))
  const costs = await Promise.all(
    (["owner", "session"] as const).map((by) => source.costs(OPERATOR, { by, timeZone: "UTC" })),
  )
  expect([detail.call.miss?.after, rows[2]?.miss?.before]).toEqual([
    expect.stringContaining("[redacted:anthropic]"),
    expect.stringContaining("[redacted:anthropic]"),
  ])
  expect(costs[0]?.owners.map(({ title }) => title)).toContainEqual(expect.stringContaining("[redacted"))
  expect(JSON.stringify([session, rows, detail, costs])).not.toContain("Zk3Zk3")
  expect(detail.isExact).toBe(false)
  expect(detail.redacted).toEqual([
    ...["/system/0/text", "/messages/1/content/0/input/command", "/messages/2/content/0/content"],
  ])
  const result = detail.parts.find(({ kind }) => kind === "tool-result")
  expect(result?.text).toBe("It is [redacted:anthropic].")
  expect(result?.spans.map(({ start, end, owner }) => [start, end, owner?.kind])).toEqual([
    [0, result?.text.length, "tool-result"],
  ])
})

test("a key in the name of a field is left out, too, and the place of what was removed does not tell it", async () => {
  const key = `sk-ant-api03-${"Zk3".repeat(31)}`
  expect(await redactedValue({ [key]: { "a/b": key } }, createRedactor())).toEqual({
    value: { "[redacted:anthropic]": { "a/b": "[redacted:anthropic]" } },
    places: ["/[redacted:anthropic]", "/[redacted:anthropic]/a~1b"],
  })
})

test("nobody but an operator gets anything", async () => {
  const path = folder()
  writeCalls(path, "calls.jsonl", calls("/work/tides"))
  const { source } = sourceOver(path)
  const [session] = await sessionsOf(source)
  const [row] = await rowsOf(source, session?.id ?? "")
  const owner = { ...OPERATOR, scopes: ["talk", "read"] as const }
  const friend = { ...OPERATOR, trust: "inner" as const }
  for (const reader of [owner, friend]) {
    expect(await source.sessions(reader, { limit: 9 })).toEqual({ sessions: [], next: null })
    expect(await source.calls(reader, { session: session?.id ?? "", limit: 9 })).toBe(undefined)
    expect(await source.call(reader, row?.id ?? "")).toBe(undefined)
  }
})

test("sessions come in pages, and one that does not exist is not found", async () => {
  const path = folder()
  const sessions = Array.from({ length: 7 }, (_, at) =>
    callsOf(
      drafts(1, (draft) => ({ ...draft, at: draft.at + at * MINUTE })),
      { session: `s${at}`, project: `/work/p${at}` },
    ),
  )
  writeCalls(path, "calls.jsonl", sessions.flat())
  const { source } = sourceOver(path)
  const first = await source.sessions(OPERATOR, { limit: 4 })
  const second = await source.sessions(OPERATOR, { limit: 4, after: first.next ?? "" })
  expect([...first.sessions, ...second.sessions].map(({ title }) => title)).toEqual([
    "p6",
    "p5",
    "p4",
    "p3",
    "p2",
    "p1",
    "p0",
  ])
  expect(second.next).toBe(null)
  expect(await source.calls(OPERATOR, { session: "nothing", limit: 3 })).toBe(undefined)
  expect(await source.call(OPERATOR, `${first.sessions[0]?.id}.nothing`)).toBe(undefined)
})
