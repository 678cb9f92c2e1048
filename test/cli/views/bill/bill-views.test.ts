// Every form of a bill, whole.
import { expect, test } from "vitest"
import type { OwnerCost } from "../../../../src/capture/bill/bill.ts"
import { BILL_KEYS } from "../../../../src/cli/views/bill/bill-key.ts"
import { byMarkdown, byView } from "../../../../src/cli/views/bill/by-view.ts"
import { htmlView } from "../../../../src/cli/views/bill/html-view.ts"
import { markdownView } from "../../../../src/cli/views/bill/markdown-view.ts"
import { nothingView } from "../../../../src/cli/views/bill/nothing-view.ts"
import { sharedBill } from "../../../../src/cli/views/bill/shared-bill.ts"
import { summaryOf } from "../../../../src/cli/views/bill/summary.ts"
import { allTables, tableBy } from "../../../../src/cli/views/bill/tables.ts"
import { terminalView } from "../../../../src/cli/views/bill/terminal-view.ts"
import { cells } from "../../../../src/cli/views/widths.ts"
import { CLIENTS_TOGETHER, HOSTILE_WEEK, WEEK } from "./sample-bills.ts"

const golden = (name: string) => `../../../golden/bill/${name}`
const shown = (lines: readonly string[]) => `${lines.join("\n")}\n`

test.each([60, 80, 200])("a week in %i columns", async (columns) => {
  const lines = terminalView(summaryOf(WEEK), { columns, colour: false })
  expect(Math.max(...lines.map(cells))).toBeLessThanOrEqual(columns)
  await expect(shown(lines)).toMatchFileSnapshot(golden(`week-${columns}.txt`))
})

test("several clients, one without a price", async () => {
  const lines = terminalView(summaryOf(CLIENTS_TOGETHER), { columns: 80, colour: false })
  await expect(shown(lines)).toMatchFileSnapshot(golden("clients-80.txt"))
})

test("colours change nothing but colours", () => {
  const plain = terminalView(summaryOf(WEEK), { columns: 80, colour: false })
  const painted = terminalView(summaryOf(WEEK), { columns: 80, colour: true })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a painter's codes.
  expect(painted.map((line) => line.replaceAll(/\u001b\[\d+m/g, "").trimEnd())).toEqual(plain)
  expect(painted.join("")).toContain("\u001b[1m$72.73\u001b[22m")
})

test("as Markdown", async () => {
  await expect(markdownView(summaryOf(CLIENTS_TOGETHER))).toMatchFileSnapshot(golden("clients.md"))
})

test("as HTML", async () => {
  const page = htmlView(summaryOf(CLIENTS_TOGETHER), allTables(CLIENTS_TOGETHER))
  expect(page).not.toMatch(/<script|\bon\w+=|\bstyle=|https?:|url\(|@import/)
  await expect(page).toMatchFileSnapshot(golden("clients.html"))
})

test("by each key, in a terminal and as Markdown", async () => {
  const tables = BILL_KEYS.map((key) => {
    const table = tableBy(WEEK, key)
    return `--by ${key}\n${shown(byView(table, { columns: 80, colour: false }))}`
  })
  await expect(`${tables.join("\n")}\n${byMarkdown(tableBy(WEEK, "day"))}`).toMatchFileSnapshot(
    golden("by.txt"),
  )
})

test("for strangers: the same figures, and no name", async () => {
  const shared = sharedBill(WEEK)
  const text = JSON.stringify(shared)
  for (const word of [
    "CLAUDE.md",
    "lamp",
    "linear",
    "github",
    "gist",
    "pnpm",
    "winch",
    "tides",
    "ada",
    "5d2c1f0e",
    "linter",
  ])
    expect(text).not.toContain(word)
  expect([shared.costUsd, shared.owners.map(({ carriedUsd }) => carriedUsd)]).toEqual([
    72.73,
    [9.4, 3.86, 0.69],
  ])
  const lines = terminalView(summaryOf(shared), { columns: 80, colour: false })
  await expect(
    `${shown(lines)}\n${shown(byView(tableBy(shared, "owner"), { columns: 80, colour: false }))}`,
  ).toMatchFileSnapshot(golden("shared.txt"))
})

test("for strangers: a file has one number, whether it is named by its path or by its end", () => {
  const path = "/work/lamp/CLAUDE.md"
  const owners = WEEK.owners.map((owner) => (owner.path === undefined ? owner : { ...owner, path }))
  const around = { ...owners[0], kind: "envelope", group: "client", path, name: undefined } as OwnerCost
  const shared = sharedBill({ ...WEEK, owners: [...owners, around] })
  const named = shared.groups.find(({ group }) => group === "instructions")?.items[0]?.name
  expect(named).toBe("instruction file 1")
  expect(shared.owners.flatMap((owner) => owner.path ?? [])).toEqual([named, named])
})

test("no name or text is taken for anything else", () => {
  const summary = summaryOf(HOSTILE_WEEK)
  const lines = terminalView(summary, { columns: 80, colour: false })
  const tables = BILL_KEYS.flatMap((key) =>
    byView(tableBy(HOSTILE_WEEK, key), { columns: 80, colour: false }),
  )
  expect(
    [...lines, ...tables].filter((line) => /[\p{C}\p{Zl}\p{Zp}]/u.test(line) || cells(line) > 80),
  ).toEqual([])
  const markdown = `${markdownView(summary)}${BILL_KEYS.map((key) => byMarkdown(tableBy(HOSTILE_WEEK, key))).join("")}`
  expect(markdown).not.toMatch(/<script|\*\*@|\]\(|@everyone|`x`|\p{Cc}(?<!\n)|\p{Cf}/u)
  const page = htmlView(summary, allTables(HOSTILE_WEEK))
  expect(page).not.toMatch(/<script|<\/style><|\p{Cc}(?<!\n)|\p{Cf}/u)
  expect(page.match(/<style>/g)).toHaveLength(1)
  const shared = JSON.stringify(sharedBill(HOSTILE_WEEK).owners)
  expect(shared).not.toContain("alert")
})

test("nothing found: where was looked, and what to do", async () => {
  const empty = { ...WEEK, calls: 0, from: undefined, to: undefined, byClient: [] }
  const looked = [
    { title: "Claude Code", folders: ["~/.claude/projects"], files: 0 },
    { title: "Codex", folders: ["~/.codex/sessions", "~/.codex/archived_sessions"], files: 2 },
  ]
  const page = { columns: 80, colour: false }
  const typed = (sentence: string) => sentence
  const never = nothingView({ all: empty, looked, typed, session: undefined, named: [] }, page)
  const older = nothingView({ all: WEEK, looked, typed, session: undefined, named: [] }, page)
  await expect(`${shown(never)}\n${shown(older)}`).toMatchFileSnapshot(golden("nothing.txt"))
})

test("one wrong date does not make a picture of thousands of years", () => {
  const [day] = WEEK.byDay
  const to = Date.UTC(9999, 11, 30)
  const byDay = [...WEEK.byDay, ...(day ? [{ ...day, key: "9999-12-30" }] : [])]
  expect(summaryOf({ ...WEEK, since: undefined, from: 0, to, byDay }).days).toHaveLength(byDay.length)
})

test("the name of a setting is a name", () => {
  const misses = WEEK.misses.map((miss) => ({ ...miss, setting: "acme_customer" }))
  const shared = sharedBill({ ...WEEK, misses })
  expect(JSON.stringify(shared)).not.toContain("acme")
  expect(shared.misses[0]?.setting).toBe("setting 1")
})
