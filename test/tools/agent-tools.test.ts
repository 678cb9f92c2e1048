// The tools that change what the agent keeps: tasks, notices, the schedule, its own texts, and work for others.
import { afterEach, beforeEach, expect, test } from "vitest"
import type { TaskChange } from "../../src/database/contract/tasks.ts"
import { type AgentTexts, type ScheduleEntry, ToolFailure } from "../../src/tools/host.ts"
import { type Acting, makeActing } from "./acting.ts"

let acting: Acting
beforeEach(() => {
  acting = makeActing()
})
afterEach(() => acting.remove())

test("task_write", async () => {
  const changes: TaskChange[] = []
  const tasks = {
    list: async () => [],
    async write(change: TaskChange) {
      if (change.id === "9") throw new ToolFailure("No task 9.")
      changes.push(change)
      const { id = "3", title = "Make tea", status = "open", steps = [] } = change
      return { id, title, status, steps }
    },
  }
  const write = (input: unknown) => acting.call("task_write", input, { hosting: { tasks } })
  const steps = [
    { title: "boil", done: true },
    { title: "pour", done: false },
  ]
  expect(await write({ title: "Make tea", steps })).toBe("Task 3 (open, 1 of 2 steps done): Make tea")
  expect(await write({ id: "3", status: "done" })).toBe("Task 3 (done): Make tea")
  expect(await write({ id: "9", status: "done" })).toBe("failed: No task 9.")
  expect(await write({ status: "done" })).toBe(
    "failed: A new task needs a title; to change one, give its id.",
  )
  expect(await write({ title: "x", status: "doing" })).toBe(
    'failed: The input is not valid: status: Invalid option: expected one of "open"|"working"|"done"|"dropped".',
  )
  expect(changes).toEqual([
    { title: "Make tea", steps },
    { id: "3", status: "done" },
  ])
})

test("notify_user", async () => {
  const notices: string[] = []
  const notify = async (text: string) => void notices.push(text)
  expect(await acting.call("notify_user", { text: "The kettle is on fire." }, { hosting: { notify } })).toBe(
    "The user was notified.",
  )
  expect(notices).toEqual(["The kettle is on fire."])
})

test("schedule_write", async () => {
  const entries: ScheduleEntry[] = []
  const schedule = {
    list: async () => entries,
    async add(cron: string, run: string) {
      if (cron === "never") throw new ToolFailure('"never" is no schedule.')
      const next = cron.startsWith("0 9") ? Date.parse("2026-11-15T08:00:00Z") : undefined
      const entry = { id: `${entries.length + 1}`, cron, run, next }
      entries.push(entry)
      return entry
    },
    async remove(id: string) {
      const at = entries.findIndex((entry) => entry.id === id)
      return at !== -1 && entries.splice(at, 1).length === 1
    },
  }
  const write = (input: unknown) =>
    acting.call("schedule_write", input, { hosting: { schedule }, timeZone: "Europe/Stockholm" })
  expect(await write({})).toBe("No entries found.")
  expect(await write({ cron: "0 9 * * *", run: "Say good\nmorning." })).toBe(
    'Added entry 1: 0 9 * * *, next 2026-11-15 09:00:00 (Europe/Stockholm): "Say good\\nmorning."',
  )
  expect(await write({ cron: "0 0 30 2 *", run: "prompts/leap.md" })).toBe(
    "Added entry 2: 0 0 30 2 *, next never: prompts/leap.md",
  )
  expect(await write({ cron: "never", run: "x" })).toBe('failed: "never" is no schedule.')
  expect(await write({ cron: "0 9 * * *" })).toBe("failed: A new entry needs `cron` and `run`.")
  expect(await write({ remove: "1", run: "x" })).toBe("failed: Give either `remove`, or `cron` and `run`.")
  expect(await write({ remove: "1" })).toBe("Removed entry 1.")
  expect(await write({ remove: "7" })).toBe(
    "failed: No entry 7.\nEntry 2: 0 0 30 2 *, next never: prompts/leap.md",
  )
})

function agentTexts(text: string | undefined): AgentTexts & { text: string | undefined } {
  const texts = {
    text,
    instructions: () => ({ path: "AGENTS.md", text: texts.text }),
    writeInstructions(now: string) {
      texts.text = now
    },
    responsibilities: () => ["Tea", "Ferries"],
    withoutResponsibility: (title: string) =>
      title === "Tea" ? { path: "incipit.yaml", before: "tea\n", after: "" } : undefined,
    writeResponsibilities() {},
  }
  return texts
}

test("instructions_write", async () => {
  const texts = agentTexts("Be brief.\n")
  const write = (text: string, approve?: () => "yes" | "no") =>
    acting.call("instructions_write", { text }, { hosting: { texts }, ...(approve && { approve }) })
  expect(await write("Be brief.\nBe kind.\n")).toBe("Replaced AGENTS.md: 1 line became 2 lines.")
  expect(acting.asked).toEqual([
    { kind: "instructions", path: "AGENTS.md", before: "Be brief.\n", after: "Be brief.\nBe kind.\n" },
  ])
  expect(await write("Be brief.\nBe kind.\n")).toBe("AGENTS.md already has this text.")
  expect(await write("No.", () => "no")).toBe("failed: The change to AGENTS.md was not approved.")
  expect(await write("key [redacted:aws]")).toBe(
    "failed: The text has redacted parts, and writing them would overwrite the real text.",
  )
  const meanwhile = () => {
    texts.text = "Mine."
    return "yes" as const
  }
  expect(await write("New.", meanwhile)).toBe(
    "failed: AGENTS.md was changed in the meantime, so nothing was written.",
  )
  expect(texts.text).toBe("Mine.")
  texts.text = undefined
  expect(await write("New.")).toBe("Created AGENTS.md, 1 line.")
})

test("responsibility_remove", async () => {
  const remove = (title: string) =>
    acting.call("responsibility_remove", { title }, { hosting: { texts: agentTexts("") } })
  expect(await remove("Tea")).toBe("Removed the responsibility Tea.")
  expect(await remove("Coffee")).toBe(
    "failed: No responsibility has the title Coffee. The titles are: Tea; Ferries.",
  )
})

test("delegate", async () => {
  const delegate = async (work: unknown) => JSON.stringify(work)
  const call = (input: unknown) => acting.call("delegate", input, { hosting: { delegate } })
  expect(await call({ task: "Count the cups.", agent: "butler" })).toBe(
    '{"task":"Count the cups.","agent":"butler"}',
  )
  expect(await call({ task: "Count the cups." })).toBe('{"task":"Count the cups."}')
})
