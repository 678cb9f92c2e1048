// What was used: tools by the model's calls, and skills by a tool, by reading their file, or by a person's command.
import { expect, test } from "vitest"
import {
  groupOf,
  skillOf,
  skillsCalledIn,
  skillUsedBy,
} from "../../../src/capture/bill/owners/owner-identity.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { writeTree } from "../attribute/envelopes.ts"
import { newFolder } from "../attribute/folder.ts"
import { billOf } from "./bill-of.ts"
import { lines, MODEL, START } from "./conversation.ts"

test("a skill is used by a tool for skills or by reading its file", () => {
  expect(skillUsedBy("Skill", "trim-wick")).toBe("trim-wick")
  expect(skillUsedBy("activate_skill", "/trim-wick now")).toBe("trim-wick")
  expect(skillUsedBy("Read", "/home/ada/.claude/skills/trim-wick/SKILL.md")).toBe("trim-wick")
  expect(skillUsedBy("Bash", "cat .agents/skills/trim-wick/SKILL.md | head")).toBe("trim-wick")
  expect(skillUsedBy("Bash", "make skill")).toBeUndefined()
})

test("or by a person", () => {
  expect(
    skillsCalledIn("<command-message>trim-wick</command-message>\n<command-name>/trim-wick</command-name>"),
  ).toEqual(["trim-wick"])
  expect(
    skillsCalledIn("Base directory for this skill: /home/ada/.claude/skills/trim-wick\n\n# Trim"),
  ).toEqual(["trim-wick"])
  expect(skillsCalledIn("Please trim the wick.")).toEqual([])
})

test("owners are in the groups that people look for", () => {
  const match = "exact" as const
  const path = "/work/.claude/skills/trim-wick/SKILL.md"
  expect(skillOf({ kind: "file", path, match })).toBe("trim-wick")
  expect(groupOf({ kind: "field", path, name: "trim-wick", match })).toBe("skills")
  expect(groupOf({ kind: "file", path: "/work/CLAUDE.md", match })).toBe("instructions")
  expect(groupOf({ kind: "file", path: "/work/.cursorrules", match })).toBe("instructions")
  expect(groupOf({ kind: "file", path: "/work/src/lamp.ts", match })).toBe("files")
  expect(groupOf({ kind: "tool-result", server: "tides", name: "list", match })).toBe("tool-results")
  expect(groupOf({ kind: "tool", name: "Bash", match })).toBe("client")
})

test("a server that only the client's settings name is used by calls of its tools, and only one that is not is advised against", async () => {
  const { project, home } = newFolder()
  writeTree(project, { "opencode.json": '{"mcp":{"sea":{},"sky":{}}}' })
  const tool = (name: string) => ({ name, description: lines(name, 60), input_schema: { type: "object" } })
  const usage = { uncached: 0, read: 0, write: { "5m": 9_000 }, output: 10 }
  const call: CapturedCall = {
    ...{ id: "c1", client: "opencode", session: "s1", thread: "main", project, at: START, model: MODEL },
    ...{ usage, format: "anthropic", coverage: "exact", files: [] },
    request: {
      model: MODEL,
      tools: [tool("read"), tool("sea_ring"), tool("sky_look")],
      messages: [
        { role: "user", content: "Ring the bell." },
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "sea_ring", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "Rang." }] },
      ],
    },
  }
  const bill = await billOf([call], { machine: { home, variables: {} } })
  const tools = bill.owners.filter(({ kind }) => kind === "mcp-tool")
  expect(tools.map(({ server, name, used }) => `${server} ${name}: ${used}`).toSorted()).toEqual([
    "sea ring: 1",
    "sky look: 0",
  ])
  expect(bill.groups.find(({ group }) => group === "mcp")).toMatchObject({ count: 2, used: 1 })
  expect(bill.advice.filter(({ kind }) => kind === "mcp-server").map(({ text }) => text)).toEqual([
    "Disconnect the MCP server sky: its tool was sent with 1 call and never used.",
  ])
})
