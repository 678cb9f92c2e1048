// "Always" is said for a kind of thing, and never for what decides over the agent itself.
import { expect, test } from "vitest"
import type { ApprovalRequest } from "../../src/tools/host.ts"
import { call, open, say, server, workspace } from "./fault-world.ts"

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
