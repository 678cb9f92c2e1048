// The agent's name, from the frontmatter of IDENTITY.md or from the list that OpenClaw writes there.
import { expect, test } from "vitest"
import { identityName } from "../../../src/core/model/identity.ts"
import { makeFile } from "../make.ts"

const name = (text: string, fields = {}) =>
  identityName([makeFile({ role: "identity", path: "IDENTITY.md", text, fields })])

test.each([
  ["- **Name:** Clawd\n- **Emoji:** x\n", "Clawd"],
  ["# IDENTITY.md - Who am I?\n\n- **Name:**\n  Clawd the Second\n- **Vibe:** calm\n", "Clawd the Second"],
  ["- **Name**: _Clawd_", "Clawd"],
  ["* name: Clawd", "Clawd"],
])("the list %j gives a name", (text, expected) => {
  expect(name(text)).toBe(expected)
})

test.each([
  "- **Name:**\n  _(pick something you like)_\n",
  "- **Name:**\n- **Creature:** fox\n",
  "- **Creature:** fox\n",
  "The name: Clawd",
  "",
])("%j gives none", (text) => {
  expect(name(text)).toBeUndefined()
})

test("the frontmatter takes precedence over the list, and other files are ignored", () => {
  expect(name("- **Name:** Listed", { name: "Said" })).toBe("Said")
  expect(
    identityName([makeFile({ role: "soul", path: "SOUL.md", text: "- **Name:** Soul" })]),
  ).toBeUndefined()
})
