import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { zstdCompressSync } from "node:zlib"
import { expect, test } from "vitest"
import { OPENCLAW } from "../../../src/capture/clients/pi/openclaw.ts"
import { callsIn, testReader } from "./reader-contract.ts"
import { writeRows } from "./written-files.ts"

const at = (second: number) => new Date(Date.UTC(2026, 10, 18, 12, 0, second)).toISOString()
const rows = (session: string): readonly object[] => [
  { type: "session", version: 4, id: session, timestamp: at(0), cwd: "/work/lamp" },
  {
    type: "message",
    id: "e1",
    parentId: null,
    timestamp: at(1),
    message: { role: "user", content: "Look around." },
  },
  ...[2, 3].map((second) => ({
    ...{ type: "message", id: `${session}-${second}`, parentId: "e1", timestamp: at(second) },
    message: {
      ...{ role: "assistant", provider: "anthropic", model: "claude-sonnet-4-5" },
      content: [{ type: "text", text: "Done." }],
      usage: { input: second, output: 20, cacheRead: 100, cacheWrite: 7 },
    },
  })),
]

function database(home: string): void {
  const path = join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")
  mkdirSync(dirname(path), { recursive: true })
  const db = new DatabaseSync(path)
  db.exec(
    "CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, event_zstd BLOB, PRIMARY KEY (session_id, seq))",
  )
  const insert = db.prepare("INSERT INTO transcript_events VALUES (?, ?, ?, ?)")
  for (const session of ["s1", "s2"])
    for (const [seq, row] of rows(session).entries()) {
      const text = JSON.stringify(row)
      insert.run(session, seq, seq % 2 === 0 ? text : null, seq % 2 === 0 ? null : zstdCompressSync(text))
    }
  db.close()
}

testReader({ name: "OpenClaw's database", reader: OPENCLAW, grows: false, record: database })
testReader({
  name: "OpenClaw's files",
  reader: OPENCLAW,
  record: (home) => void writeRows(home, ".openclaw/agents/main/sessions/s1.jsonl", rows("s1")),
})

test("sessions are told apart, compressed entries are read, and reset transcripts count", async () => {
  const home = mkdtempSync(join(tmpdir(), "openclaw-"))
  database(home)
  writeRows(home, ".openclaw/agents/main/sessions/s3.jsonl.reset.2026-11-17", rows("s3"))
  writeRows(home, ".openclaw/agents/main/sessions/s3.trajectory.jsonl", rows("s4"))
  const calls = await callsIn(OPENCLAW, home)
  expect(
    calls.map(({ session, usage, request }) => [session, usage.uncached, JSON.stringify(request?.messages)]),
  ).toEqual(
    ["s1", "s2", "s3"].flatMap((session) =>
      [2, 3].map((n) => [session, n, '[{"role":"user","content":[{"type":"text","text":"Look around."}]}]']),
    ),
  )
})
