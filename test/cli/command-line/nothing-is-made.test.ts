// Commands that only look or remove, where there is nothing yet: they say so, and leave the folder and the home folder
// as they were.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { incipit } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-nothing-made-"))
const cwd = join(folder, "workspace")
beforeAll(() => {
  mkdirSync(cwd)
  writeFileSync(join(cwd, "incipit.yaml"), "profile: incipit\n")
})
afterAll(() => rmSync(folder, { recursive: true }))

const NO_RECORD = `incipit: ${cwd} has no record yet. \`incipit run\` and \`incipit chat\` create one. To use another, set \`--workspace\` or \`--record\`.\n`

test.each([
  [["schedule"], 0, "The schedule is empty.\n"],
  [
    ["schedule", "remove", "1"],
    2,
    "incipit: there is no entry 1. `incipit schedule` lists the entries with their ids.\n",
  ],
  [["run", "--sessions"], 0, "No sessions yet.\n"],
  [
    ["run", "--sessions", "--agent", "nobody"],
    2,
    'incipit: there is no agent "nobody". Other agents are folders under agents/ in the workspace. Leave `--agent` out to use the main agent.\n',
  ],
  [["prune"], 2, NO_RECORD],
  [["prune", "--person", "owner"], 2, NO_RECORD],
  [["status"], 2, NO_RECORD],
  [["logs"], 2, NO_RECORD],
  [
    ["hooks", "revoke", "tides"],
    2,
    'incipit: nothing called "tides" is approved. `incipit hooks` lists the modules, profile, MCP servers, addresses, folders and rules that incipit.yaml names, and which of them need approval.\n',
  ],
])("incipit %j", (args, status, stderr) => {
  expect(incipit(args, { cwd, env: { HOME: folder } })).toEqual({ stdout: "", stderr, status })
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
    "workspace",
    join("workspace", "incipit.yaml"),
  ])
})
