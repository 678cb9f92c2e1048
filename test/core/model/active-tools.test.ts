import { expect, test } from "vitest"
import { activeTools } from "../../../src/core/model/profile.ts"
import { makeProfile, makeTool } from "../make.ts"

const tools = [makeTool("read"), makeTool("bash"), makeTool("grep")]

test("the active tools keep the profile's order, and unknown names are ignored", () => {
  const profile = { ...makeProfile([]), tools, active: ["bash", "nothing", "read"] }
  expect(activeTools(profile).map(({ name }) => name)).toEqual(["bash", "read"])
})

test("a profile without active tools has none", () => {
  expect([activeTools({ ...makeProfile([]), tools }), activeTools(makeProfile([]))]).toEqual([[], []])
})
