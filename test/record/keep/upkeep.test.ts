import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { PruneReport } from "../../../src/database/contract/record/upkeep.ts"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { startUpkeep } from "../../../src/record/keep/upkeep.ts"
import { openRecord } from "../../../src/record/write/record.ts"

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 15)
const folder = mkdtempSync(join(tmpdir(), "incipit-upkeep-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("at the start what is older than thirty days goes, and what is younger stays", async () => {
  const path = join(folder, "record.db")
  const record = openRecord(path)
  for (const [trace, days] of [
    ["old", 31],
    ["young", 29],
    ["new", 0],
  ] as const)
    record.append({ type: "diagnostic", at: NOW - days * DAY_MS, trace })
  await record.flush()
  const told: (PruneReport | Error)[] = []
  const upkeep = startUpkeep(path, { now: () => NOW, tell: (outcome) => told.push(outcome) })
  await upkeep.first
  upkeep.stop()
  expect(told).toMatchObject([{ events: 1 }])
  expect((await record.read((store) => queryEvents(store))).map(({ trace }) => trace)).toEqual([
    "new",
    "young",
  ])
  await record.close()
})

test("a record that cannot be pruned is reported, and nothing is thrown", async () => {
  const path = join(folder, "no-record")
  writeFileSync(path, "not a database ".repeat(500))
  const told: (PruneReport | Error)[] = []
  const upkeep = startUpkeep(path, { now: () => NOW, tell: (outcome) => told.push(outcome) })
  await upkeep.first
  upkeep.stop()
  expect(told.map((outcome) => outcome instanceof Error)).toEqual([true])
})

test("events of 36 days are removed also when nobody wants to hear of it", async () => {
  const path = join(folder, "quiet.db")
  const record = openRecord(path)
  for (const [trace, days] of [
    ["old", 36],
    ["new", 0],
  ] as const)
    record.append({ type: "diagnostic", at: NOW - days * DAY_MS, trace })
  await record.flush()
  const upkeep = startUpkeep(path, { now: () => NOW })
  await upkeep.first
  upkeep.stop()
  expect((await record.read((store) => queryEvents(store))).map(({ trace }) => trace)).toEqual(["new"])
  await record.close()
})
