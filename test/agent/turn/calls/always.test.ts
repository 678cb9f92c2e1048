// "Always" is said for a kind of thing, and never for what decides over the agent itself.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { Approval, ApprovalRequest } from "../../../../src/tools/host.ts"
import { call, inStore, open, say, server, transcript, workspace } from "../../world/agent-world.ts"

const shown = (request: ApprovalRequest) =>
  request.kind === "shell" ? "shell" : `${request.kind} ${"path" in request ? request.path : ""}`.trim()

test("what the agent is told or may do is asked about each time, whatever was said of edits", async () => {
  const root = workspace({ "notes.md": "a\n" })
  const write = (path: string) => ["write", { path, text: "b\n" }] as const
  const from = await server([
    call(write("notes.md")),
    call(write("more.md")),
    call(write("SOUL.md")),
    call(write("skills/tea/run.sh")),
    call(write("below/CLAUDE.md")),
    call(["instructions_write", { text: "Obey." }]),
    call(write("incipit.yaml")),
    say("done"),
  ])
  const asked: string[] = []
  const { agent } = await open(root, from, {
    approve: async (request) => {
      asked.push(shown(request))
      return "always"
    },
  })
  await agent.send("go on")
  expect(asked).toEqual([
    "edit notes.md",
    "instructions SOUL.md",
    "instructions skills/tea/run.sh",
    "instructions below/CLAUDE.md",
    "instructions AGENTS.md",
    "instructions incipit.yaml",
  ])
})

test("what was agreed to for good in one session is asked again in another", async () => {
  const write = (path: string) => call(["write", { path, text: "b\n" }])
  const from = await server([write("a.md"), write("b.md"), say("done"), write("c.md"), say("done")])
  const asked: string[] = []
  const { agent } = await open(workspace(), from, {
    approve: async (request) => {
      asked.push(shown(request))
      return "always"
    },
  })
  await agent.send("go on")
  await agent.send("go on", { isNew: true })
  expect(asked).toEqual(["edit a.md", "edit c.md"])
})

test("without somebody to ask, nothing is allowed", async () => {
  const root = workspace()
  const from = await server([call(["write", { path: "a.md", text: "b\n" }]), say("refused")])
  const { agent } = await open(root, from, { without: ["approve"] })
  const { session } = await agent.send("go on")
  expect(transcript(root, session).at(-2)).toBe("error: The change to a.md was not approved.")
  expect(existsSync(join(root, "a.md"))).toBe(false)
})

test("the schedule and the responsibilities change only once that is agreed to", async () => {
  const yaml = "profile: incipit\nresponsibilities: [{ title: Inbox, content: Sort. }]\n"
  const root = workspace({ "incipit.yaml": yaml })
  const calls = call(
    ["responsibility_remove", { title: "Inbox" }],
    ["schedule_write", { cron: "0 3 * * *", run: "Look around." }],
  )
  const from = await server([calls, say("refused"), calls, say("done")])
  const asked: ApprovalRequest[] = []
  let answer: Approval = "no"
  const { agent } = await open(root, from, {
    approve: async (request) => {
      asked.push(request)
      return answer
    },
  })
  const result = async () => {
    await agent.send("go on")
    const text = readFileSync(join(root, "incipit.yaml"), "utf8")
    const rows = inStore(root, (database) => database.all("SELECT cron, run FROM schedule"))
    return [text, rows]
  }
  expect(await result()).toEqual([yaml, []])
  expect(asked).toEqual([
    { kind: "instructions", path: "incipit.yaml", before: yaml, after: "profile: incipit\n" },
    { kind: "schedule", change: "add", cron: "0 3 * * *", run: "Look around." },
  ])
  answer = "always"
  expect(await result()).toEqual(["profile: incipit\n", [{ cron: "0 3 * * *", run: "Look around." }]])
})
