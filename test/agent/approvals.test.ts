// Approvals in a real file of the home folder: by kind and digest, taken back by name.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { approvedDigests, withApprovals } from "../../src/agent/approvals.ts"
import { digest } from "../../src/core/digest.ts"
import { inRecord, open, workspace, write } from "./fault-world.ts"
import { approveServers } from "./local-agent.ts"

const home = mkdtempSync(join(tmpdir(), "incipit-approvals-"))
afterAll(() => rmSync(home, { recursive: true }))

const [a, b, c] = [digest("a"), digest("b"), digest("c")]

test("what is approved stays so in the file, and is taken back by name", () => {
  withApprovals(home, (approvals) => {
    expect([approvals.isApproved("hook", a), approvals.list("hook")]).toEqual([false, []])
    approvals.approve({ kind: "hook", digest: a, name: "tides", at: 1 })
    approvals.approve({ kind: "hook", digest: b, name: "tides", at: 2 })
    approvals.approve({ kind: "hook", digest: c, name: "guard", at: 3 })
    // Again, by another name: there is one approval of one thing.
    approvals.approve({ kind: "hook", digest: c, name: "door", at: 4 })
  })
  withApprovals(home, (again) => {
    const door = { kind: "hook", digest: c, name: "door", at: 4 }
    expect(again.list("hook")).toEqual([
      door,
      { kind: "hook", digest: b, name: "tides", at: 2 },
      { kind: "hook", digest: a, name: "tides", at: 1 },
    ])
    const revoked = [again.revoke("hook", "tides"), again.revoke("hook", "tides")]
    expect([revoked, again.isApproved("hook", a), again.list("hook")]).toEqual([[2, 0], false, [door]])
  })
})

test("to look for approvals writes nothing", () => {
  const other = join(home, "other")
  expect(approvedDigests(other, "hook")).toEqual(new Set())
  expect(existsSync(other)).toBe(false)
  withApprovals(other, (approvals) => approvals.approve({ kind: "hook", digest: a, name: "tides", at: 1 }))
  expect(approvedDigests(other, "hook")).toEqual(new Set([a]))
})

test("an agent opens without a home folder that can be written", async () => {
  const file = join(home, "file")
  writeFileSync(file, "")
  const { agent } = await open(workspace(), undefined, { home: file })
  const { state } = await agent.send("hello")
  expect(state).toBe("answered")
})

test("a server that nobody approved is not started, nor is one that has changed", async () => {
  const entry = (word: string) => `profile: incipit\nmcp: { x: { command: ./x.sh, args: [${word}] } }\n`
  const root = workspace({ "incipit.yaml": entry("a"), "x.sh": "#!/bin/sh\necho $1 >> ran\n" })
  chmodSync(join(root, "x.sh"), 0o755)
  const own = join(home, "own")
  const ran = async () => {
    const { agent } = await open(root, undefined, { home: own, env: process.env })
    await agent.close()
    return existsSync(join(root, "ran")) ? readFileSync(join(root, "ran"), "utf8") : ""
  }
  expect(await ran()).toBe("")
  const told = inRecord(root, (database) =>
    database.all("SELECT metadata FROM events WHERE metadata LIKE '%mcp-waits%'"),
  )
  expect(told.length).toBe(1)
  approveServers(root, own)
  expect(await ran()).toBe("a\n")
  write(root, "incipit.yaml", entry("b"))
  expect(await ran()).toBe("a\n")
})
