// What people said is for nobody else on the machine: plans, exports and the folders made for them.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { plansInFolder } from "../../../src/agent/feeds/plan-files.ts"
import { openPlans } from "../../../src/agent/feeds/plans.ts"
import { warmIncipit as incipit } from "../run.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "incipit-modes-"))
})
afterEach(() => rmSync(root, { recursive: true }))

const modeOf = (...names: readonly string[]) => (statSync(join(root, ...names)).mode & 0o777).toString(8)

const PLAN = { goal: "Oil the hinge", text: "# Plan: Oil the hinge\n\n## Steps\n\n1. Oil it.\n" }

test("a plan is 0600, and the folders that are made for it 0700", () => {
  openPlans({ store: plansInFolder(root), who: "owner", trust: "full", now: () => 0 }).save(PLAN, "s")
  const [name = ""] = readdirSync(join(root, ".incipit", "plans"))
  expect([modeOf(".incipit"), modeOf(".incipit", "plans"), modeOf(".incipit", "plans", name)]).toEqual([
    "700",
    "700",
    "600",
  ])
})

test("a folder of plans that others may read is closed, and the one above, which the user made, stays as it is", () => {
  mkdirSync(join(root, ".incipit", "plans"), { recursive: true })
  for (const path of [".incipit", ".incipit/plans"]) chmodSync(join(root, path), 0o755)
  openPlans({ store: plansInFolder(root), who: "owner", trust: "full", now: () => 0 }).save(PLAN, "s")
  expect([modeOf(".incipit"), modeOf(".incipit", "plans")]).toEqual(["755", "700"])
})

test("an export is 0600, also where a file that others may read is written again", () => {
  const env = { HOME: join(root, "home"), INCIPIT_STATE_DIR: join(root, "state") }
  incipit(["run", "hello", "--model", "offline"], { cwd: root, env })
  writeFileSync(join(root, "old.jsonl"), "")
  chmodSync(join(root, "old.jsonl"), 0o644)
  for (const name of ["new.jsonl", "old.jsonl"]) {
    expect(incipit(["export", name], { cwd: root, env }).status).toBe(0)
    expect([name, modeOf(name)]).toEqual([name, "600"])
  }
  expect([modeOf("state"), modeOf("state", "record.db")]).toEqual(["700", "600"])
})

test("a base that is ejected is in a folder of the user's own", () => {
  incipit(["init", "--eject"], { cwd: root })
  expect(modeOf(".incipit")).toBe("700")
})
