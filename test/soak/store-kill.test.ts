// A process is killed before every single statement of its store, also within transactions. Another one goes on, and in
// the end the store is the same as if nothing had happened: nothing is lost, and nothing was done twice.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { afterAll, expect, test } from "vitest"
import { bundled } from "../bundled.ts"
import { noteFigures } from "../figures.ts"

const PROGRAM = await bundled("test/soak/store-child.ts")
const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), "incipit-store-kill-")))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

async function run(path: string, last = 0): Promise<string> {
  const child = spawn("node", [PROGRAM, path, `${last}`], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(FOLDER, "compiled") },
    stdio: ["ignore", "pipe", "inherit"],
  })
  let printed = ""
  child.stdout.on("data", (data) => {
    printed += data
  })
  await once(child, "close")
  return printed
}

/** What differs from run to run: times, owners, and how often something was attempted. */
const VARIES = /^(at|.*_at|lease|owner|fence|not_before|attempts|id|number)$/

/** Every row of every table, without what varies. */
function contents(path: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(path, { readOnly: true })
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
  const all = tables.map(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${name}"`).all()
    return [name, rows.map((row) => Object.entries(row).filter(([column]) => !VARIES.test(column)))]
  })
  const [{ integrity_check: integrity } = {}] = database.prepare("PRAGMA integrity_check").all()
  database.close()
  expect(integrity).toBe("ok")
  return Object.fromEntries(all)
}

test("killed before any statement, another process completes the same store", {
  timeout: 900_000,
}, async (context) => {
  const whole = join(FOLDER, "whole.db")
  expect(await run(whole)).toBe("completed")
  const expected = contents(whole)
  const left = (table: string) => expected[table]?.length
  // Each file once, for the session and its fork; nothing of the person who was erased.
  expect([left("files"), left("file_uses"), left("inbox"), left("tokens")]).toEqual([4, 7, 2, 0])
  let last = 1
  for (let isKilled = true; isKilled; last += 1) {
    const path = join(FOLDER, `${last}.db`)
    isKilled = (await run(path, last)) !== "completed"
    if (isKilled) expect(await run(path)).toBe("completed")
    expect([last, contents(path)]).toEqual([last, expected])
    rmSync(path)
  }
  // The last one was not killed.
  noteFigures(context, { kills: last - 2 })
  expect(last).toBeGreaterThan(100)
})
