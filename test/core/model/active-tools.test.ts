import { expect, test } from "vitest"
import { activeTools } from "../../../src/core/model/profile.ts"
import { makeProfile, makeTool } from "../make.ts"

const tools = [makeTool("read"), makeTool("bash"), makeTool("grep")]

test("the active tools of a profile stand in its own order, and unknown names are none", () => {
  const profile = { ...makeProfile([]), tools, active: ["bash", "nothing", "read"] }
  expect(activeTools(profile).map(({ name }) => name)).toEqual(["bash", "read"])
})

test("a profile that names none has none", () => {
  expect([activeTools({ ...makeProfile([]), tools }), activeTools(makeProfile([]))]).toEqual([[], []])
})
