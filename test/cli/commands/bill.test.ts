// `incipit bill` and `incipit statusline` over transcripts of our own making, in the shape of Claude Code's.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { Readable } from "node:stream"
import { afterAll, beforeAll, expect, test } from "vitest"
import { billSchema } from "../../../src/capture/bill/bill-schema.ts"
import { incipitHere } from "../here.ts"

const NOW = Date.UTC(2026, 10, 18, 12)
const MINUTE = 60_000
const SESSION = "0b9f6a52-1111-4222-8333-444455556666"
const KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ"
let home: string
let transcript: string

interface Turn {
  readonly at: number
  readonly read: number
  readonly written: number
  readonly model?: string
  readonly isSidechain?: boolean
}

/** One row for what was said, one for the answer. */
function rows(turns: readonly Turn[]): string {
  const common = { sessionId: SESSION, cwd: "/home/ada/winch", version: "2.0.1" }
  return turns
    .flatMap(({ at, read, written, model = "claude-sonnet-5-5", isSidechain = false }, index) => [
      {
        ...common,
        isSidechain,
        type: "user",
        uuid: `u${index}`,
        timestamp: new Date(at - 1000).toISOString(),
        message: { role: "user", content: `Look at ${KEY}` },
      },
      {
        ...common,
        isSidechain,
        type: "assistant",
        uuid: `a${index}`,
        timestamp: new Date(at).toISOString(),
        requestId: `req_${index}`,
        message: {
          id: `msg_${index}`,
          type: "message",
          role: "assistant",
          model,
          content: [{ type: "text", text: "Done." }],
          usage: {
            input_tokens: 4,
            cache_read_input_tokens: read,
            cache_creation_input_tokens: written,
            cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
            output_tokens: 120,
          },
        },
      },
    ])
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("")
}

const TURNS: readonly Turn[] = [
  { at: NOW - 90 * MINUTE, read: 0, written: 40_000 },
  { at: NOW - 88 * MINUTE, read: 40_000, written: 2_000 },
  { at: NOW - 47 * MINUTE, read: 0, written: 43_000 },
  { at: NOW - 46 * MINUTE, read: 43_000, written: 500 },
]

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "incipit-bill-"))
  const folder = join(home, ".claude", "projects", "-home-ada-winch")
  mkdirSync(folder, { recursive: true })
  transcript = join(folder, `${SESSION}.jsonl`)
  writeFileSync(transcript, rows(TURNS))
})

afterAll(() => rmSync(home, { recursive: true }))

const bill = (args: readonly string[] = [], now = NOW) =>
  incipitHere(["bill", ...args], { cwd: home, home, now, env: { CLAUDE_CONFIG_DIR: join(home, ".claude") } })

const steady = (text: string) =>
  text.replace(/in \d+(?:\.\d)? s\./, "in N s.").replace(/Read \d+(?:\.\d)? KB/, "Read N KB")

test("the first command of a new user", async () => {
  const { stdout, stderr, status } = await bill()
  expect([status, stderr]).toEqual([0, ""])
  await expect(steady(stdout)).toMatchFileSnapshot("../../golden/bill/first-run.txt")
})

test("the JSON is what the schema says, and its sums are those of the transcript", async () => {
  const { stdout } = await bill(["--json"])
  const parsed = billSchema.parse(JSON.parse(stdout))
  expect([parsed.calls, parsed.tokens]).toEqual([
    4,
    { uncached: 16, read: 83_000, written: 85_500, output: 480 },
  ])
  expect(parsed.missGroups.map(({ cause, count }) => [cause, count])).toEqual([["expired", 1]])
  expect(billSchema.safeParse(JSON.parse((await bill(["--json", "--share"])).stdout)).error).toBeUndefined()
})

test("a page is for its owner alone, and has no key in it", async () => {
  const { stderr, status } = await bill(["--html", "bill.html"])
  const path = join(home, "bill.html")
  expect([status, stderr, statSync(path).mode & 0o777]).toEqual([0, `Wrote ${path}.\n`, 0o600])
  const page = readFileSync(path, "utf8")
  expect(page).toMatch(/^<!doctype html>/)
  for (const where of [page, (await bill(["--json"])).stdout]) expect(where).not.toContain("abcdefghijklmnop")
  rmSync(path)
})

test("nothing in the period: older calls are named with the command that shows them", async () => {
  const { stdout } = await bill([], NOW + 30 * 24 * 60 * MINUTE)
  expect(stdout).toBe(
    "No calls in this period. There are 4 calls from 18 Nov.\nTo see them: incipit bill --since 2026-11-18\n",
  )
})

test("a week is seven days of the calendar, also when one of them has 23 hours", async () => {
  const afterMidnight = Date.parse("2026-03-30T00:30:00+02:00")
  const { stdout } = await incipitHere(["bill", "--json"], {
    ...{ cwd: home, home, now: afterMidnight, timeZone: "Europe/Berlin" },
  })
  expect(new Date(JSON.parse(stdout).since).toISOString()).toBe("2026-03-23T23:00:00.000Z")
})

test("a folder or a file that is named is read whole, whatever its age", async () => {
  for (const place of [join(home, ".claude", "projects"), transcript]) {
    const { stdout } = await bill(["--json", place], NOW + 400 * 24 * 60 * MINUTE)
    expect(JSON.parse(stdout).calls).toBe(4)
  }
  expect((await bill(["nowhere"])).stderr).toMatch(/^incipit: there is no file or folder .*nowhere\. /)
})

test("one session, one client, one table", async () => {
  expect(JSON.parse((await bill(["--json", "--session", SESSION.slice(0, 8)])).stdout).calls).toBe(4)
  expect(JSON.parse((await bill(["--json", "--session", "other"])).stdout).calls).toBe(0)
  expect(JSON.parse((await bill(["--json", "--client", "codex"])).stdout).calls).toBe(0)
  expect((await bill(["--by", "day"])).stdout.split("\n").map((line) => line.split(/ +/)[0])).toEqual([
    "day",
    "2026-11-18",
    "total",
    "",
  ])
  expect((await bill(["--by", "day", "--json"])).status).toBe(2)
})

test("nothing is written to the client's folder", async () => {
  const before = [readdirSync(join(home, ".claude"), { recursive: true }), statSync(transcript).mtimeMs]
  await bill()
  expect([readdirSync(join(home, ".claude"), { recursive: true }), statSync(transcript).mtimeMs]).toEqual(
    before,
  )
})

const statusline = (given: string) =>
  incipitHere(["statusline"], {
    cwd: home,
    streams: { input: Readable.from([given]), output: process.stdout },
  })

test("a status line says what was spent, how much was cached, and what missed last", async () => {
  const given = { session_id: SESSION, transcript_path: transcript, cost: { total_cost_usd: 1.84 } }
  expect(await statusline(JSON.stringify(given))).toEqual({
    stdout: "$1.84 · 49% cached · last miss: 41-min pause, $0.10\n",
    stderr: "",
    status: 0,
  })
})

test("a sub-agent in the same transcript is no model switch", async () => {
  const path = join(home, "side.jsonl")
  const side = { at: NOW + MINUTE, read: 0, written: 5_000, model: "claude-haiku-4-5", isSidechain: true }
  const turns = [
    { at: NOW, read: 0, written: 40_000 },
    side,
    { at: NOW + 2 * MINUTE, read: 40_000, written: 500 },
  ]
  writeFileSync(path, rows(turns))
  expect((await statusline(JSON.stringify({ transcript_path: path }))).stdout).toBe("50% cached\n")
})

test("a status line reads no transcript of the folder it is in", async () => {
  const path = relative(process.cwd(), transcript)
  expect((await statusline(JSON.stringify({ transcript_path: path }))).stdout).toBe("\n")
})

test.each([
  ["", "\n"],
  ["not JSON", "\n"],
  ["[]", "\n"],
  ['{"transcript_path": "/nowhere/x.jsonl", "cost": {"total_cost_usd": 0.5}}', "$0.50\n"],
  ['{"transcript_path": "/", "cost": "much"}', "\n"],
  ['{"transcript_path": "/dev/zero"}', "\n"],
])("a status line for %j never fails", async (given, line) => {
  expect(await statusline(given)).toEqual({ stdout: line, stderr: "", status: 0 })
})
