// Several processes at one file: none of them loses anything, and none is told that another is at it.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { noteFigures } from "../figures.ts"
import { count, integrity, openFile, recordFile, startWriter, type Writer } from "./record-file.ts"

const PROCESSES = 8
const BATCHES = 40

test("eight processes that begin the file together and write at once lose nothing", async () => {
  const path = recordFile()
  const names = Array.from({ length: PROCESSES }, (_, at) => `w${at}`)
  const writers = names.map((name) => startWriter("batches", path, name, String(BATCHES)))
  const said = await Promise.all(writers.map((writer) => writer.line()))
  expect(await Promise.all(writers.map((writer) => writer.ended))).toEqual(
    names.map(() => ({ status: 0, stderr: "" })),
  )
  expect(said.map((line) => JSON.parse(line ?? "{}"))).toEqual(names.map(() => ({ waiting: 0, dropped: 0 })))
  const database = openFile(path)
  expect(count(database)).toBe(PROCESSES * BATCHES * 10)
  expect(database.get("SELECT count(DISTINCT span_id) AS count FROM events")?.count).toBe(
    PROCESSES * BATCHES * 10,
  )
  // Each in its own order.
  for (const name of names) {
    const spans = database.all("SELECT span_id FROM events WHERE span_id LIKE ? ORDER BY id", `${name}-%`)
    expect(spans.map(({ span_id }) => span_id)).toEqual(
      Array.from({ length: BATCHES * 10 }, (_, n) => `${name}-${Math.floor(n / 10)}-${n % 10}`),
    )
  }
  expect(integrity(path)).toBe("ok")
})

/** `npm run soak` has more. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 6)
/** Four that write, one that prunes. */
const ROLES = ["endlessly", "endlessly", "endlessly", "endlessly", "prune"]

test(`${ROUNDS} times kill -9: what was acknowledged is there, and the file is sound`, async (context) => {
  const path = recordFile()
  const database = openFile(path)
  let started = 0
  const start = (at: number): Writer => {
    started += 1
    return startWriter(ROLES[at] ?? "", path, `w${at}-${started}`)
  }
  const running = ROLES.map((_, at) => start(at))
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = round % ROLES.length
    const writer = running[at]
    // It has begun, and had no complaint; the others may just be beginning.
    expect(await writer?.line()).toBe(ROLES[at] === "prune" ? "pruning" : "writing")
    writer?.child.kill("SIGKILL")
    expect(await writer?.ended).toEqual({ status: null, stderr: "" })
    running[at] = start(at)
    if (round % 50 === 49) expect(integrity(path)).toBe("ok")
  }
  for (const { child } of running) child.kill("SIGKILL")
  await Promise.all(running.map((writer) => writer.ended))

  const acknowledged = readFileSync(`${path}.acknowledged`, "utf8").trimEnd().split("\n")
  const stored = new Set(
    database.all("SELECT span_id FROM events WHERE span_id IS NOT NULL").map(({ span_id }) => span_id),
  )
  expect(acknowledged.length).toBeGreaterThan(ROUNDS)
  const lost = acknowledged.filter((span) => !stored.has(span))
  noteFigures(context, {
    kills: ROUNDS,
    "acknowledged events": acknowledged.length,
    "lost events": lost.length,
  })
  expect(lost).toEqual([])
  const halves = database.all(
    "SELECT trace_id FROM events WHERE trace_id LIKE 'old-%' GROUP BY trace_id HAVING count(*) <> 2",
  )
  expect(halves).toEqual([])
  const written = acknowledged.length * 2
  expect(
    database.get("SELECT count(*) AS count FROM events WHERE trace_id LIKE 'old-%'")?.count,
  ).toBeLessThan(written)
  expect(integrity(path)).toBe("ok")
}, 400_000)
