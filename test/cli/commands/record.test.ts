// The commands that ask the record, against a real file: a night with three refusals and a late delivery, two requests
// of which the second lost the cache, and what all of it cost.
import { copyFileSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setImmediate } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { run as exportAll } from "../../../src/cli/commands/record/export.ts"
import { run as logs } from "../../../src/cli/commands/record/logs.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import { userMessage } from "../../../src/core/model/message.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { RECORD_MIGRATIONS } from "../../../src/database/sqlite/record/schema.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { renderAnthropic } from "../../../src/render/formats/anthropic.ts"
import { NIGHT_MODEL as MODEL, writeNight } from "../../record/night.ts"
import { samplePrompt } from "../../render/sample.ts"
import { warmIncipit as incipit, transcript } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-record-cli-"))
const state = join(folder, "state")
const file = join(state, "record.db")
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(() => writeNight(file, ["t1", "t2", "t3"]))

function run(...args: readonly string[]) {
  // A comparison has two workspaces, so there the file is named.
  const where = args[0] === "diff" ? ["--record", file] : ["--workspace", folder]
  return incipit([...args, ...where], { env: { TZ: "Europe/Stockholm", INCIPIT_STATE_DIR: state } })
}

describe("what the record says", () => {
  test.each([
    ["logs", []],
    ["logs", ["--level", "error"]],
    ["logs", ["--search", "rate limit", "--limit", "1"]],
    ["logs", ["--type", "message_sent,turn_started"]],
    ["logs", ["--type", "turn_start"]],
    ["logs", ["--since", "tomorrowish"]],
    ["cost", ["--since", "99999999999d"]],
    ["logs", ["--user", "nobody"]],
    ["logs", ["--limit", "-5"]],
    ["logs", ["--limit", "0"]],
    ["logs", ["--search", '"']],
    ["trace", ["t2"]],
    ["trace", ["t2.1"]],
    ["trace", ["nothing"]],
    ["why-miss", ["t3"]],
    ["why-miss", ["t9"]],
    ["cost", []],
    ["cost", ["--by", "section"]],
    ["diff", ["t2", "t3.1"]],
    ["diff", ["t2", "t77"]],
  ])("%s %j", async (command, args) => {
    const shown = [command, ...args]
    const text = transcript(shown, run(...shown)).replaceAll(folder, "DIR")
    const name = shown
      .join("-")
      .replaceAll('"', "quote")
      .replaceAll(/[^a-z0-9]+/gi, "-")
    await expect(text).toMatchFileSnapshot(`../../golden/cli/record-${name}.txt`)
  })

  test("replay prints the request as it was sent", () => {
    const { stdout, stderr, status } = run("replay", "t2.1")
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    const { request } = renderAnthropic(samplePrompt(), [userMessage("Question 1.")], {
      ...{ model: MODEL, maxTokens: 100 },
      withoutTail: true,
    })
    expect(JSON.parse(stdout)).toEqual(request)
  })

  test("status has the errors and the size of the record", () => {
    const { stdout, status } = run("status", "--json")
    const { errors, record } = JSON.parse(stdout)
    expect({ status, errors: errors.length, isSized: record.bytes > 0 }).toEqual({
      status: 0,
      errors: 3,
      isSized: true,
    })
  })

  test("export writes every event, and the same to a file", () => {
    const { stdout, status } = run("export")
    const path = join(folder, "events.jsonl")
    expect(run("export", path).stderr).toBe(`10 events written to ${path}\n`)
    expect(run("export", "--session", "none")).toEqual({
      stdout: "",
      stderr: "No events match.\n",
      status: 0,
    })
    expect({
      status,
      isSame: readFileSync(path, "utf8") === stdout,
      lines: stdout.trimEnd().split("\n").length,
    }).toEqual({
      status: 0,
      isSame: true,
      lines: 10,
    })
  })

  test("export to a place that cannot be written is one line", () => {
    const { stderr, status } = run("export", join(folder, "no", "such", "file"))
    expect({ status, stderr: stderr.replace(folder, "DIR") }).toEqual({
      status: 2,
      stderr:
        "incipit: cannot write DIR/no/such/file: no such file or folder. Check the folder, its permissions and the free disk space.\n",
    })
  })
})

test("where there is no record, every command says so in one line", () => {
  const empty = mkdtempSync(join(tmpdir(), "incipit-no-record-"))
  try {
    for (const command of ["logs", "trace", "why-miss", "cost", "status", "export", "prune"]) {
      const { stderr, status } = incipit([command, "--workspace", empty])
      expect({ status, stderr: stderr.replace(empty, "DIR") }).toEqual({
        status: 2,
        stderr:
          "incipit: DIR has no record yet. `incipit run` and `incipit chat` create one. To use another, set `--workspace` or `--record`.\n",
      })
    }
  } finally {
    rmSync(empty, { recursive: true })
  }
})

test("a file that is no record is one line", () => {
  const path = join(folder, "not-a-database")
  writeFileSync(path, "hello ".repeat(1000))
  const { stderr, status } = incipit(["logs", "--record", path])
  expect(status).toBe(2)
  expect(stderr.split("\n")).toHaveLength(2)
})

describe("what is no record, or no whole one, is one line", () => {
  const commands = ["logs", "trace", "why-miss", "cost", "status", "export", "prune"]
  const copy = join(folder, "copy.db")
  const expectLines = (expected: RegExp) => {
    for (const command of commands) {
      const { stdout, stderr, status } = incipit([command, "--record", copy])
      expect({ command, stdout, status }).toEqual({ command, stdout: "", status: 2 })
      expect(stderr).toMatch(expected)
    }
  }

  test("an empty file", () => {
    writeFileSync(copy, "")
    expectLines(/^incipit: \S+copy\.db is not a record\. .*\n$/)
    expect(readFileSync(copy)).toHaveLength(0)
  })

  test("a database of something else", () => {
    rmSync(copy)
    const other = new DatabaseSync(copy)
    other.exec("CREATE TABLE theirs (name)")
    other.close()
    const before = readFileSync(copy)
    expectLines(/^incipit: \S+copy\.db is a database of another program\. .*\n$/)
    expect(readFileSync(copy).equals(before)).toBe(true)
  })

  test("a record of which only the list of its tables can be read", () => {
    const database = new DatabaseSync(file, { readOnly: true })
    const roots = database.prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 1").all()
    database.close()
    const bytes = readFileSync(file)
    for (const { rootpage } of roots) bytes.fill(0xee, (Number(rootpage) - 1) * 4096, Number(rootpage) * 4096)
    writeFileSync(copy, bytes)
    expectLines(/^incipit: cannot use \S+copy\.db: .*\n$/)
  })
})

test("one row with damaged data does not hide the others", () => {
  const copy = join(folder, "one-damaged.db")
  copyFileSync(file, copy)
  const database = new DatabaseSync(copy)
  database.exec("UPDATE events SET metadata = '{\"status\":4' WHERE id = (SELECT min(id) FROM events)")
  database.close()
  const { stdout, status } = incipit(["logs", "--record", copy])
  expect({ status, lines: stdout.trimEnd().split("\n").length }).toEqual({ status: 0, lines: 10 })
  expect(stdout).toContain(String.raw`text="{\"status\":4"`)
})

/** A terminal that a test looks into. */
function terminal(more: Partial<Terminal>): Terminal {
  return {
    out: () => {},
    exact: () => {},
    err: () => {},
    drained: async () => {},
    columns: 80,
    colour: false,
    cwd: folder,
    home: folder,
    env: { INCIPIT_STATE_DIR: state },
    timeZone: "UTC",
    now: () => Date.parse("2026-11-15T08:00:00Z"),
    stopped: async () => {},
    ...more,
  }
}

test("logs --follow tells once what is written while it shows what was there", async () => {
  const copy = join(folder, "followed.db")
  copyFileSync(file, copy)
  const lines: string[] = []
  const out = (line: string) => {
    if (lines.length === 0) {
      const database = openDatabase(copy, { migrations: RECORD_MIGRATIONS })
      database.run(
        "INSERT INTO events (timestamp, level, category, event_type) VALUES (?, 'info', 'scheduler', 'schedule_fired')",
        "2026-11-15T02:00:00.000Z",
      )
      database.close()
    }
    lines.push(line)
  }
  await logs({
    words: [],
    flags: flagsFor("logs", { record: copy, follow: true }),
    terminal: terminal({ out }),
  })
  expect(lines.filter((line) => line.includes("schedule_fired"))).toHaveLength(1)
  expect(lines).toHaveLength(11)
})

test("export waits for who reads it", async () => {
  let isFull = false
  let most = 0
  const out = () => {
    if (isFull) most += 1
    isFull = true
  }
  const drained = async () => {
    await setImmediate()
    isFull = false
  }
  await exportAll({
    words: [],
    flags: flagsFor("export", { record: file }),
    terminal: terminal({ out, drained }),
  })
  expect(most).toBe(0)
})

describe("what others wrote, much of it, and little room", () => {
  const copy = join(folder, "nasty.db")
  const nasty = "x\u001b[2J\ny"
  const at = Date.now() - 60_000
  beforeAll(async () => {
    const recorder = openRecord(copy)
    const error = { type: "channel_error", at, channel: nasty, error: "e" } as const
    for (let n = 0; n < 12; n += 1) recorder.append({ ...error, session: `${nasty}${n}` })
    const usage = { uncached: 1_000_000, read: 2_000_000, write: { "5m": 3_000_000 }, output: 4_000_000 }
    recorder.append({ type: "api_call", at, session: nasty, model: nasty, usage, costUsd: null })
    await recorder.close()
  })

  test("status", () => {
    const { stdout } = incipit(["status", "--record", copy, "--workspace", folder])
    const lines = stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME").split("\n")
    expect(lines.slice(0, 5)).toEqual([
      "Channels",
      String.raw`  "x\u001b[2J\ny": last message never, 12 errors in the last 24 hours`,
      "Sessions, last 24 hours",
      String.raw`  "x\u001b[2J\ny": 1 event, last TIME`,
      String.raw`  "x\u001b[2J\ny0": 1 event, last TIME`,
    ])
    expect(lines.slice(13, 15)).toEqual(["  3 more", "Recent errors"])
  })

  test("cost", () => {
    const { stdout } = incipit(["cost", "--by", "model", "--record", copy], { env: { COLUMNS: "40" } })
    expect(stdout).toMatchInlineSnapshot(`
      "model          calls       read     cost
      x\\u001b[2J\\ny      1  2,000,000  unknown
      total              1  2,000,000  unknown
      1 call to models without a known price
      is not in the total
      columns left out (the terminal is too
      narrow): written, output, uncached
      "
    `)
  })

  test("why-miss", async () => {
    const night = join(folder, "nasty-night.db")
    await writeNight(night, ["t1", "t2", `t3${nasty}`])
    const { stdout } = incipit(["why-miss", "--record", night])
    expect(stdout).toContain("t3x\\u001b[2J\\ny")
    expect(stdout.split("\n")).toHaveLength(2)
  })

  test("a record without events", () => {
    const empty = join(folder, "new.db")
    openDatabase(empty, { migrations: RECORD_MIGRATIONS }).close()
    const { stdout } = incipit(["status", "--record", empty, "--workspace", folder])
    expect(stdout).toMatch(/ plus a write-ahead log of .*, no events yet\n {2}no failed writes\n/)
  })

  test("a record that lost something", () => {
    const database = openDatabase(copy, { migrations: RECORD_MIGRATIONS })
    database.run("INSERT INTO facts (name, value) VALUES ('dropped', '3')")
    database.close()
    const { stdout } = incipit(["status", "--record", copy, "--workspace", folder])
    expect(stdout).toContain("  3 writes of events, requests or usage failed\n")
  })
})

test("prune names the place of an amount that is none", () => {
  const there = mkdtempSync(join(tmpdir(), "incipit-retention-"))
  try {
    writeFileSync(join(there, "incipit.yaml"), "record: { retention: long }\n")
    const ask = (...args: readonly string[]) =>
      incipit(["prune", "--workspace", there, "--record", file, ...args]).stderr
    expect(ask()).toMatch(/^incipit: incipit\.yaml:1: record\.retention: is not a duration/)
    writeFileSync(join(there, "incipit.yaml"), "record: { retention: 9d }\n")
    expect(ask("--older", "old")).toMatch(/^incipit: --older must be a duration/)
  } finally {
    rmSync(there, { recursive: true })
  }
})

test("export does not write over the record", () => {
  const before = readFileSync(file)
  const link = join(folder, "link.db")
  linkSync(file, link)
  for (const path of [file, `${file}-wal`, link]) {
    const { stderr, status } = run("export", path)
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `incipit: ${path} is part of the record that would be exported. Run the command with --help to see its arguments and flags.\n`,
    })
  }
  expect(readFileSync(file).equals(before)).toBe(true)
})

test("prune takes old traces, and the sums of cost stay", () => {
  const before = run("cost", "--json").stdout
  const { stdout, status } = run("prune", "--older", "1ms")
  expect({
    status,
    isSaid: /^Deleted \d+ events and \d+ recorded requests?; the record shrank from .*\.\n$/.test(stdout),
  }).toEqual({
    status: 0,
    isSaid: true,
  })
  expect(JSON.parse(run("cost", "--json").stdout).total).toEqual(JSON.parse(before).total)
})
