// A simulated conversation is invented, and so is its time: its figures do not depend on the moment of the command.
import { expect, test } from "vitest"
import { incipitHere } from "../here.ts"

const SAMPLE = ["--workspace", "examples/lighthouse", "--cwd", "/island", "--json"]
const NOON = Date.UTC(2026, 10, 18, 12)
/** The conversation would pass midnight, into a month with a longer name. */
const LATE = Date.UTC(2026, 10, 30, 23, 55, 30)

test.each([
  ["simulate", ["simulate", ...SAMPLE]],
  ["price", ["price", "--edit", "SOUL.md", ...SAMPLE]],
  ["build --compare", ["build", "--compare", "osa", ...SAMPLE]],
])("%s says the same at any time", async (_command, args) => {
  const [noon, late] = await Promise.all(
    [NOON, LATE].map((now) => incipitHere(args, { cwd: process.cwd(), now })),
  )
  expect(noon?.stdout).toContain('"simulated"')
  expect(late?.stdout).toBe(noon?.stdout)
})
