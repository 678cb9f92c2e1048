// What the agent is told when a run begins: a file's text, a line about the periodic tasks, or the message itself.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { messageOf } from "../../../src/agent/schedule/message.ts"

function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-message-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const root = join(folder, "workspace")
  mkdirSync(join(root, "tasks"), { recursive: true })
  writeFileSync(join(root, "tasks", "inbox.md"), "---\ntrust: full\n---\n\nSort the inbox.\r\n")
  writeFileSync(join(folder, "outside.md"), "SECRET")
  symlinkSync("../outside.md", join(root, "link.md"))
  return root
}

const told = (run: string, root: string, missed = 0) => messageOf({ run, missed }, root)

test("the periodic tasks are named, if they are there", () => {
  const root = workspace()
  expect(told("HEARTBEAT.md", root)).toBe("HEARTBEAT.md")
  writeFileSync(join(root, "HEARTBEAT.md"), "1. Tides.\n")
  expect(["HEARTBEAT.md", "./HEARTBEAT.md"].map((run) => told(run, root))).toEqual([
    "Work through HEARTBEAT.md.",
    "Work through HEARTBEAT.md.",
  ])
})

test("another file is read, without its frontmatter", () => {
  expect(told("tasks/inbox.md", workspace())).toBe("Sort the inbox.")
})

test.each([
  "What is on today?",
  "/etc/passwd",
  "Line one\nline two",
  `A long message. ${"And on. ".repeat(40)}`,
  `A longer message. ${"And on. ".repeat(2_000)}`,
  "tasks/inbox.md/nothing",
  "A zero\0in it",
])("anything else is the message: %j", (run) => {
  expect(told(run, workspace())).toBe(run)
})

test("what leads out of the workspace, or is no file, is refused", () => {
  const root = workspace()
  for (const run of ["../outside.md", "link.md", "tasks"])
    expect(() => told(run, root)).toThrow(expect.objectContaining({ code: "unreadable-file" }))
})

test("it is told how many runs were left out", () => {
  const root = workspace()
  expect([1, 2, 1_000].map((missed) => told("Look around.", root, missed))).toEqual([
    "Look around.\n\n(Missed and skipped before this run: 1 run.)",
    "Look around.\n\n(Missed and skipped before this run: 2 runs.)",
    "Look around.\n\n(Missed and skipped before this run: 1000 or more runs.)",
  ])
})
