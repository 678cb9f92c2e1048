// The same agent in four libraries: each program does the whole task, and what the page says of them is measured.
import { spawnSync } from "node:child_process"
import { expect, test } from "vitest"

const { stdout, stderr, status } = spawnSync("node", ["examples/compare/run.ts", "--json"], {
  encoding: "utf8",
  env: { PATH: process.env.PATH, HOME: process.env.HOME },
})

interface Result {
  readonly name: string
  readonly sent: Readonly<Record<string, number>>
  readonly answers: Readonly<Record<string, string>>
}

test("the programs run without a key and without a network", () => {
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
})

const results: readonly Result[] = JSON.parse(stdout)

test.each(results.map((result) => [result.name, result] as const))(
  "%s does the whole task: ten calls within the budget, and no word of the secret",
  (_name, { sent, answers }) => {
    const { calls, leaks, largestContext = 0 } = sent
    expect({ calls, leaks, isWithin: largestContext <= 3000 }).toEqual({
      calls: 10,
      leaks: 0,
      isWithin: true,
    })
    // It had to leave something out, and knows that it did.
    expect(largestContext).toBeGreaterThan(2500)
    expect(answers.leftOut).toMatch(/tasks?\b/)
  },
)
