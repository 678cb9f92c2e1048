// What was used: tools by the model's calls, and skills by a tool, by reading their file, or by a person's command.
import { expect, test } from "vitest"
import {
  groupOf,
  skillOf,
  skillsCalledIn,
  skillUsedBy,
} from "../../../src/capture/bill/owners/owner-identity.ts"

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
