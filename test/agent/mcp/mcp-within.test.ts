import { expect, test } from "vitest"
import { within } from "../../../src/agent/mcp/with-timeout.ts"

const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

test("what comes in time leaves no timer behind, which would keep a program from ending", async () => {
  const before = timers()
  const late = () => "late"
  expect(await within(Promise.resolve("there"), { limitMs: 1_000_000, late })).toBe("there")
  await expect(within(Promise.reject(new Error("no")), { limitMs: 1_000_000, late })).rejects.toThrow("no")
  expect(timers()).toBe(before)
})

test("what never comes gives what is said in its place", async () => {
  expect(await within(new Promise<string>(() => {}), { limitMs: 0, late: () => "late" })).toBe("late")
})
