// What a few calls of the offline model cost, by every command that shows it: free, in the same words, and counted.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { OFFLINE_CALLS } from "../../../src/record/prices/offline-calls.ts"
import { incipit } from "../run.ts"

const root = mkdtempSync(join(tmpdir(), "offline-costs-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const cwd = join(root, "agent")
mkdirSync(cwd)
const env = { XDG_STATE_HOME: join(root, "state") }
const run = (args: readonly string[], input?: string) =>
  incipit(args, { cwd, env, ...(input !== undefined && { input }) })
const flat = (text: string) => text.replaceAll(/\s+/g, " ")

test("run, cost, chat and bill say the same, and no call is without a price", () => {
  expect(flat(run(["run", "hello"]).stderr)).toContain(OFFLINE_CALLS)
  expect(run(["cost"]).stdout.split("\n").at(-2)).toBe(OFFLINE_CALLS)
  expect(JSON.parse(run(["cost", "--json", "--by", "section"]).stdout)).toMatchObject({
    offline: 1,
    total: { costUsd: 0, unpriced: 0 },
  })
  expect(run(["chat"], "/cost\n").stdout.split("\n").at(-2)).toBe(OFFLINE_CALLS)
  const bill = run(["bill", "--client", "incipit"]).stdout
  expect(flat(bill)).toContain(OFFLINE_CALLS)
  expect(bill).toMatch(/^ {2}free /m)
  expect(bill).not.toMatch(/without a known price|at API list prices/)
})

test("with the offline model, simulate and build --compare take the model that it stands for", () => {
  const model = ["--model", "offline/openai/gpt-5.6-sol"]
  expect(run(["simulate", ...model, "--json"]).stdout).toBe(
    run(["simulate", "--model", "openai/gpt-5.6-sol", "--json"]).stdout,
  )
  expect(run(["build", "--compare", "nova", ...model]).stdout).toContain("Simulated for openai/gpt-5.6-sol.")
  expect(run(["build", "--compare", "nova"]).stdout).toContain("Simulated for anthropic/claude-sonnet-5-5.")
})
