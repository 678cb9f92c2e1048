// Every test that the page about the `osa` profiles names exists.
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

test("every test that the page names exists", () => {
  const page = readFileSync("docs/profiles/osa.md", "utf8")
  const table = page.split("| statement | test |")[1]?.split("\n\n")[0] ?? ""
  const named = [...table.matchAll(/`([^`]+)` \|$/gm)].map(([, name = ""]) => name)
  const tests = readdirSync("test/profiles/osa")
    .map((name) => readFileSync(`test/profiles/osa/${name}`, "utf8"))
    .join("\n")
  expect(named.length).toBe(26)
  expect(named.filter((name) => !tests.includes(`"${name}"`))).toEqual([])
})
