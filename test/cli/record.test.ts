// The commands that ask the record, against a real file: a night with three refusals and a late delivery, two requests
// of which the second lost the cache, and what all of it cost.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Message } from "../../src/core/message.ts"
import { userMessage } from "../../src/core/message.ts"
import { saveReceipt } from "../../src/record/receipts.ts"
import { openRecord } from "../../src/record/record.ts"
import { openScope } from "../../src/record/scope.ts"
import { saveUsage } from "../../src/record/section-costs.ts"
import { renderAnthropic } from "../../src/render/anthropic.ts"
import { clockAt, counting } from "../record/open.ts"
import { samplePrompt } from "../render/sample.ts"
import { incipit, transcript } from "./run.ts"

const MODEL = "anthropic/claude-sonnet-5-5"
const folder = mkdtempSync(join(tmpdir(), "incipit-record-cli-"))
const file = join(folder, ".incipit", "record.db")
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  const recorder = openRecord(file)
  const { now, pass } = clockAt("2026-11-15T01:47:00Z")
  const origin = { session: "abc", user: "alice", channel: "signal", trust: "full" } as const
  const message = openScope({ recorder, origin: { ...origin, trace: "m1" }, now, id: counting("s") }).open(
    "message_received",
  )
  const refused = message.with({ turn: "t1" }).open("turn_started", { model: MODEL })
  for (const waitMs of [1000, 2000, 4000]) {
    refused.event("api_error", { model: MODEL, error: "rate limit", data: { status: 429, waitMs } })
    pass(waitMs)
  }
  pass(40_000)
  const price = {
    model: "claude-sonnet-5-5",
    input: 2,
    output: 10,
    read: 0.1,
    write: { "5m": 2.5 },
    estimated: false,
    source: "a test",
    date: "2026-11-15",
  }
  for (const [at, usage] of [
    { fresh: 10, read: 0, write: { "5m": 2000 }, output: 50 },
    { fresh: 2100, read: 0, write: {}, output: 60 },
  ].entries()) {
    const turn = `t${at + 2}`
    const scope = message.with({ turn, step: 1 })
    scope.event("turn_started", { model: MODEL })
    const messages: readonly Message[] = [userMessage(`Question ${at + 1}.`)]
    const prompt = samplePrompt()
    const { request } = renderAnthropic(prompt, messages, { model: MODEL, maxTokens: 100 })
    saveReceipt(recorder, {
      turn,
      step: 1,
      at: now(),
      session: "abc",
      trust: "full",
      model: MODEL,
      prompt,
      request,
    })
    const call = {
      ...origin,
      turn,
      step: 1,
      type: "api_call",
      at: now(),
      model: MODEL,
      usage,
      price,
      costUsd: 0.005 * (at + 1),
    } as const
    recorder.append(call)
    saveUsage(recorder, call)
    pass(60_000)
  }
  message.event("message_sent", { data: { length: 240 } })
  await recorder.close()
})

function run(...args: readonly string[]) {
  // A comparison has two workspaces, so there the file is named.
  const where = args[0] === "diff" ? ["--record", file] : ["--workspace", folder]
  return incipit([...args, ...where], { env: { TZ: "Europe/Stockholm" } })
}

describe("what the record says", () => {
  test.each([
    ["logs", []],
    ["logs", ["--level", "error"]],
    ["logs", ["--search", "rate limit", "--limit", "1"]],
    ["logs", ["--type", "message_sent,turn_started"]],
    ["logs", ["--type", "turn_start"]],
    ["logs", ["--since", "tomorrowish"]],
    ["logs", ["--user", "nobody"]],
    ["trace", ["t2"]],
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
    const name = shown.join("-").replaceAll(/[^a-z0-9]+/gi, "-")
    await expect(text).toMatchFileSnapshot(`../golden/cli/record-${name}.txt`)
  })

  test("replay prints the request as it was sent", () => {
    const { stdout, stderr, status } = run("replay", "t2.1")
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    const { request } = renderAnthropic(samplePrompt(), [userMessage("Question 1.")], {
      model: MODEL,
      maxTokens: 100,
    })
    expect(JSON.parse(stdout)).toEqual(request)
  })

  test("status has sessions, errors and the size of the record", () => {
    const { stdout, status } = run("status", "--json")
    const { sessions, errors, record } = JSON.parse(stdout)
    expect({ status, sessions: sessions.length, errors: errors.length, isSized: record.bytes > 0 }).toEqual({
      status: 0,
      sessions: expect.any(Number),
      errors: 3,
      isSized: true,
    })
  })

  test("export writes every event, and the same to a file", () => {
    const { stdout, status } = run("export")
    const path = join(folder, "events.jsonl")
    expect(run("export", path).stderr).toMatch(/\d+ events written to /)
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

  test("export to a place that can not be written is one line", () => {
    const { stderr, status } = run("export", join(folder, "no", "such", "file"))
    expect({ status, stderr: stderr.replace(folder, "DIR") }).toEqual({
      status: 2,
      stderr:
        "incipit: can not write DIR/no/such/file (ENOENT). Check the folder, its permissions and the space on the disk.\n",
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
          "incipit: there is no record at DIR/.incipit/record.db. A running agent makes one; `--workspace` names another folder, `--record` another file.\n",
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

test("prune takes old traces, and the sums of cost stay", () => {
  const before = run("cost", "--json").stdout
  const { stdout, status } = run("prune", "--older", "1ms")
  expect({ status, isSaid: /^\d+ events and \d+ receipts? removed; .* became .*\n$/.test(stdout) }).toEqual({
    status: 0,
    isSaid: true,
  })
  expect(JSON.parse(run("cost", "--json").stdout).total).toEqual(JSON.parse(before).total)
})
