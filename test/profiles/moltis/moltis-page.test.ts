// Every test that the profile's page names exists.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const tests = readdirSync("test/profiles/moltis")
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join("test/profiles/moltis", name), "utf8"))
  .join("\n")

const [, table = ""] = readFileSync("docs/profiles/moltis.md", "utf8").split(
  "| the description says | test |\n|---|---|\n",
)
const named = (table.split("\n\n")[0] ?? "").split("\n").map((row) => row.split("|").at(-2)?.trim() ?? "")

test("there are many", () => {
  expect(named.length).toBeGreaterThan(25)
})

test.each(named)("%s", (name) => {
  expect(tests).toContain(`"${name}"`)
})
