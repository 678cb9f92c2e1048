// Approvals in a real store: by kind and digest, taken back by name.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openApprovals } from "../../src/agent/approvals.ts"
import { STORE_MIGRATIONS } from "../../src/agent/schema.ts"
import { digest } from "../../src/core/digest.ts"
import { openDatabase } from "../../src/sqlite/database.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-approvals-"))
afterAll(() => rmSync(folder, { recursive: true }))

const [a, b, c] = [digest("a"), digest("b"), digest("c")]

test("what is approved stays so in the file, and is taken back by name", () => {
  const path = join(folder, "agent.db")
  const first = openDatabase(path, { migrations: STORE_MIGRATIONS })
  const approvals = openApprovals(first)
  expect([approvals.isApproved("hook", a), approvals.list("hook")]).toEqual([false, []])
  approvals.approve({ kind: "hook", digest: a, name: "tides", at: 1 })
  approvals.approve({ kind: "hook", digest: b, name: "tides", at: 2 })
  approvals.approve({ kind: "hook", digest: c, name: "guard", at: 3 })
  // Again, by another name: there is one approval of one thing.
  approvals.approve({ kind: "hook", digest: c, name: "door", at: 4 })
  first.close()

  const second = openDatabase(path, { migrations: STORE_MIGRATIONS })
  const again = openApprovals(second)
  const door = { kind: "hook", digest: c, name: "door", at: 4 }
  expect(again.list("hook")).toEqual([
    door,
    { kind: "hook", digest: b, name: "tides", at: 2 },
    { kind: "hook", digest: a, name: "tides", at: 1 },
  ])
  expect([again.isApproved("hook", a), again.revoke("hook", "tides"), again.revoke("hook", "tides")]).toEqual(
    [true, 2, 0],
  )
  expect([again.isApproved("hook", a), again.list("hook")]).toEqual([false, [door]])
  second.close()
})
