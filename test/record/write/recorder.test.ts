// The recorder by itself: nothing that happens to the file reaches the turn, and what was lost is known.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setImmediate as letOthersRun } from "node:timers/promises"
import { expect, onTestFinished, test } from "vitest"
import { factOf } from "../../../src/database/sqlite/record/facts.ts"
import { RECORD_MIGRATIONS } from "../../../src/database/sqlite/record/schema.ts"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import {
  openRecord,
  type Recorder,
  type RecorderOptions,
  UNCHECKED,
} from "../../../src/record/write/record.ts"
import { inFile } from "../in-file.ts"
import {
  count,
  event,
  integrity,
  NOON,
  openFile,
  openStore,
  recordFile,
  startWriter,
} from "../record-file.ts"

function opened(path: string, options?: RecorderOptions): Recorder {
  const record = openRecord(path, options)
  onTestFinished(() => record.close())
  return record
}

test("what was flushed is in the file, in order", async () => {
  const path = recordFile()
  const record = opened(path)
  for (let n = 0; n < 5_000; n += 1) record.append(event({ span: String(n) }))
  await record.flush()
  const spans = openFile(path)
    .all("SELECT span_id FROM events ORDER BY id")
    .map(({ span_id }) => span_id)
  expect(spans).toEqual(Array.from({ length: 5_000 }, (_, n) => String(n)))
  expect(record.health()).toEqual({ waiting: 0, dropped: 0, lastError: undefined, damaged: undefined })
})

test("an event is written without being asked for, after a moment or when many wait", async () => {
  const path = recordFile()
  const database = openFile(path)
  const soon = opened(path, { everyMs: 1 })
  soon.append(event())
  while (count(database) < 1) await letOthersRun()
  const many = opened(path, { everyMs: 1_000_000 })
  for (let n = 0; n < 1_000; n += 1) many.append(event())
  while (count(database) < 1_001) await letOthersRun()
})

test("an event is as it was when it was appended", async () => {
  const record = opened(recordFile())
  const data = { steps: [1] }
  record.append(event({ data }))
  data.steps.push(2)
  await record.flush()
  expect((await record.read((store) => queryEvents(store)))[0]?.data).toEqual({ steps: [1] })
})

test("what cannot be written costs itself, not the events beside it", async () => {
  const path = recordFile()
  const record = opened(path)
  const circle: Record<string, unknown> = {}
  circle.self = circle
  record.append(event({ span: "first" }))
  record.append(event({ data: circle }))
  record.append(event({ at: Number.NaN }))
  record.enqueue({
    texts: [],
    entry() {
      throw new Error("no entry")
    },
  })
  const plain = { stored: "plain", texts: new Map() }
  const parts = {
    frame: { stored: "kept by nothing", texts: new Map() },
    marks: plain,
    plan: plain,
    elements: [],
  }
  const facts = { turn: "t1", step: 1, at: NOON, session: "s1", trust: "full", model: "m" }
  // SQLite refuses a step that is no value.
  const receipt = { ...facts, ...parts, step: {} as unknown as number }
  record.enqueue({ texts: [], entry: () => ({ kind: "receipt", receipt }) })
  record.append(event({ span: "last", error: "found by text" }))
  await record.flush()
  expect(record.health()).toMatchObject({
    waiting: 0,
    dropped: 4,
    lastError: expect.stringContaining("cannot be bound"),
  })
  expect((await record.read((store) => queryEvents(store))).map(({ span }) => span)).toEqual([
    "last",
    "first",
  ])
  expect(await record.read((store) => queryEvents(store, { text: "found" }))).toHaveLength(1)
  expect(inFile(record, (database) => count(database, "texts"))).toBe(0)
})

test("a folder that cannot be used: the turn continues, and recording begins when it can", async () => {
  const path = recordFile()
  rmSync(dirname(path), { recursive: true })
  writeFileSync(dirname(path), "a file where the folder should be")
  const record = opened(path)
  for (let n = 0; n < 3; n += 1) {
    record.append(event())
    await record.flush()
  }
  expect(record.health()).toMatchObject({
    waiting: 0,
    dropped: 3,
    lastError: expect.stringContaining("cannot open"),
  })
  expect(() => inFile(record, count)).toThrow("cannot open")
  rmSync(dirname(path))
  record.append(event())
  await record.flush()
  expect(inFile(record, (database) => [count(database), factOf(database, "dropped")])).toEqual([1, "3"])
  record.append(event())
  await record.flush()
  // Another process adds its own.
  const other = opened(path)
  other.append(event({ at: Number.NaN }))
  await other.flush()
  other.append(event())
  await other.flush()
  expect(inFile(record, (database) => factOf(database, "dropped"))).toBe("4")
})

test.each([
  ["no database", (bytes: Buffer) => bytes.fill("This is no database. ")],
  ["damaged at the beginning", (bytes: Buffer) => bytes.fill(0xff, 100, 4096)],
  ["damaged in its pages", (bytes: Buffer) => bytes.fill(0xa5, 4096)],
])("a file that is %s is moved aside whole, and another begins", async (_, damage) => {
  const path = recordFile()
  const before = openRecord(path)
  for (let n = 0; n < 100; n += 1) before.append(event())
  await before.close()
  const bytes = readFileSync(path)
  damage(bytes)
  writeFileSync(path, bytes)
  writeFileSync(`${path}.damaged-1`, "from an earlier time")
  const record = opened(path)
  record.append(event({ span: "after" }))
  await record.flush()
  expect(record.health()).toMatchObject({
    dropped: 0,
    damaged: `${path}.damaged-2`,
    lastError: expect.any(String),
  })
  expect(readFileSync(`${path}.damaged-2`).equals(bytes)).toBe(true)
  expect(readFileSync(`${path}.damaged-1`, "utf8")).toBe("from an earlier time")
  expect((await record.read((store) => queryEvents(store))).map(({ span }) => span)).toEqual(["after"])
  expect(inFile(record, (database) => factOf(database, "damaged"))).toBe(`${path}.damaged-2`)
})

test("two that find the same damage leave the new file alone", async () => {
  const path = recordFile()
  writeFileSync(path, "This is no database. ".repeat(500))
  const records = [opened(path), opened(path)]
  for (const record of records) record.append(event())
  await Promise.all(records.map((record) => record.flush()))
  for (const record of records) record.append(event())
  await Promise.all(records.map((record) => record.flush()))
  expect(count(openFile(path))).toBe(4)
  expect(readdirSync(dirname(path)).filter((name) => /damaged-\d+$/.test(name))).toEqual([
    "record.sqlite.damaged-1",
  ])
})

test("a file that was deleted or replaced under an open record is not written into any more", async () => {
  const path = recordFile()
  const record = opened(path)
  record.append(event())
  await record.flush()
  for (const end of ["", "-wal", "-shm"]) renameSync(path + end, `${path}.away${end}`)
  record.append(event({ span: "second" }))
  await record.flush()
  expect(record.health().dropped).toBe(0)
  expect(openFile(path).all("SELECT span_id FROM events")).toEqual([{ span_id: "second" }])
})

test("a file of a newer Incipit is left as it is: drops are counted, and to read it throws", async () => {
  const path = recordFile()
  const newer = new DatabaseSync(path)
  newer.exec("PRAGMA user_version = 99")
  newer.close()
  const record = opened(path)
  record.append(event())
  await record.flush()
  const said = `${path} has schema version 99; this version of Incipit knows up to ${RECORD_MIGRATIONS.length}`
  expect(record.health()).toMatchObject({ dropped: 1, lastError: said, damaged: undefined })
  expect(() => inFile(record, count)).toThrow(
    expect.objectContaining({ code: "newer-database", message: said }),
  )
  expect(readdirSync(dirname(path)).filter((name) => name.includes("damaged"))).toEqual([])
})

test("a redactor that fails lets nothing through", async () => {
  const record = opened(recordFile(), {
    redact: async (texts) => {
      if (texts.includes("secret")) throw new Error("no rules")
      return texts
    },
  })
  record.append(event({ error: "secret" }))
  await record.flush()
  record.append(event({ error: "plain" }))
  await record.flush()
  expect(record.health()).toMatchObject({ dropped: 1, lastError: "no rules" })
  expect((await record.read((store) => queryEvents(store))).map(({ error }) => error)).toEqual(["plain"])
})

test("a redactor that loses a text lets nothing through: each of the others would be taken for another", async () => {
  const record = opened(recordFile(), { redact: async (texts) => texts.slice(1) })
  for (const error of ["one", "two"]) record.append(event({ error }))
  await record.flush()
  expect(record.health()).toMatchObject({ dropped: 2, lastError: "the redactor returned too few texts" })
  expect(await record.read(queryEvents)).toEqual([])
})

test("what is being redacted waits still, and an event without an error gets none", async () => {
  const gate = Promise.withResolvers<void>()
  const record = opened(recordFile(), {
    redact: async (texts) => {
      await gate.promise
      return texts.map(() => "[redacted:all]")
    },
  })
  record.append(event({ data: { path: "a secret" } }))
  const flushed = record.flush()
  await letOthersRun()
  expect(record.health().waiting).toBe(1)
  gate.resolve()
  await flushed
  expect(record.health().waiting).toBe(0)
  expect((await record.read(queryEvents)).map(({ error }) => error)).toEqual([undefined])
})

test("data is redacted string by string, keys too, and stays JSON", async () => {
  const record = opened(recordFile(), {
    redact: async (texts) => texts.map((text) => text.replaceAll(/a"b\n/g, "[redacted:own]")),
  })
  const data = { 'a"b\n': ['x a"b\n y', 1, null, true, { deep: 'a"b\n' }], plain: "text" }
  record.append(event({ error: 'a"b\n', data }))
  record.append(event({ error: "nothing" }))
  await record.flush()
  expect(
    (await record.read((store) => queryEvents(store))).map(({ error, data: shown }) => ({ error, shown })),
  ).toEqual([
    { error: "nothing", shown: undefined },
    {
      error: "[redacted:own]",
      shown: {
        "[redacted:own]": ["x [redacted:own] y", 1, null, true, { deep: "[redacted:own]" }],
        plain: "text",
      },
    },
  ])
})

test("too much that waits goes from the front", async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const record = opened(recordFile(), {
    most: 10,
    redact: async (texts) => {
      await held
      return texts
    },
  })
  record.append(event({ span: "in hand" }))
  const flushed = record.flush()
  await letOthersRun()
  for (let n = 0; n < 30; n += 1) record.append(event({ span: String(n) }))
  release()
  await flushed
  await record.flush()
  const spans = (await record.read((store) => queryEvents(store, { order: "oldest" }))).map(
    ({ span }) => span,
  )
  expect(spans[0]).toBe("in hand")
  expect(spans.at(-1)).toBe("29")
  expect(spans.length + record.health().dropped).toBe(31)
  expect(spans.length).toBeLessThanOrEqual(12)
})

test("a closed record counts what comes too late", async () => {
  const record = openRecord(recordFile())
  await record.close()
  record.append(event())
  await record.flush()
  expect(record.health()).toMatchObject({ dropped: 1, lastError: "the record is closed" })
})

test.each(["ends", "leaves"])(
  "a process that %s without a flush has written what it appended",
  async (what) => {
    const path = recordFile()
    expect(await startWriter(what, path, "only").ended).toEqual({ status: 0, stderr: "" })
    expect(openFile(path).all("SELECT span_id FROM events")).toEqual([{ span_id: "only" }])
  },
)

test("a process that ends has redacted what it appended", async () => {
  const path = recordFile()
  expect(await startWriter("endsRedacted", path, "only").ended).toEqual({ status: 0, stderr: "" })
  expect(await queryEvents(openStore(path))).toMatchObject([{ span: "only", error: "[redacted:own]" }])
})

test("texts that were not redacted when the process left are not written", async () => {
  const path = recordFile()
  expect(await startWriter("leavesUnchecked", path, "only").ended).toEqual({ status: 0, stderr: "" })
  expect(await queryEvents(openStore(path))).toMatchObject([
    { span: "only", error: UNCHECKED, data: { [UNCHECKED]: UNCHECKED } },
  ])
  expect(integrity(path)).toBe("ok")
  expect(readFileSync(path).includes("12345")).toBe(false)
})

test.each([
  ["plain", { receipts: 1, dropped: undefined }],
  ["redacted", { receipts: 0, dropped: "1" }],
])(
  "a process that leaves (%s) has written what needs no redactor, and counted the rest",
  async (name, kept) => {
    const path = recordFile()
    expect(await startWriter("leavesReceipts", path, name).ended).toEqual({ status: 0, stderr: "" })
    const database = openFile(path)
    expect(database.all("SELECT event_type FROM events").map((row) => row.event_type)).toEqual([
      "diagnostic",
      "tool_call",
    ])
    expect(count(database, "section_costs")).toBeGreaterThan(0)
    expect({ receipts: count(database, "receipts"), dropped: factOf(database, "dropped") }).toEqual(kept)
  },
)

test("the folder is made", async () => {
  const path = join(dirname(recordFile()), "deep", "er", "record.sqlite")
  const record = opened(path)
  record.append(event({ at: NOON }))
  await record.flush()
  expect(record.health().dropped).toBe(0)
})
