// What the offline model's calls cost is said in one sentence, in every page and by every command that says anything of it.
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { OFFLINE_CALLS } from "../../src/record/prices/offline-calls.ts"

const ROOT = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(ROOT, path), "utf8").replaceAll(/\s+/g, " ")

/** Other ways to say it, which readers would have to reconcile. */
const OTHERWISE =
  /offline model (?:is free|costs? nothing|are free)|(?:its|offline) tokens (?:cost nothing|are free)|(?:these|cache|cost) figures are simulated(?! for| from|\.? They)/i

test.each([
  "docs/concepts.md",
  "docs/guide/agent.md",
  "docs/guide/answers.md",
  "docs/guide/bill.md",
  "docs/guide/caching.md",
  "docs/guide/chat.md",
  "docs/guide/record.md",
  "docs/guide/serve.md",
  "docs/guide/tutorial.md",
  "docs/reference/openapi.json",
])("%s says it", (path) => {
  expect(read(path)).toContain(OFFLINE_CALLS)
})

test("nothing says it in other words", () => {
  const files = ["README.md", ...globSync("{docs,src,page}/**/*.{md,ts,tsx}", { cwd: ROOT })]
  const found = files.flatMap((path) => {
    const said = read(path).replaceAll(OFFLINE_CALLS, "").match(OTHERWISE)
    return said === null ? [] : [`${path}: ${said[0]}`]
  })
  expect(found).toEqual([])
})
