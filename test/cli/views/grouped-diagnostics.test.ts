// What many files of a folder have in common is said once, and nothing else is.
import { expect, test } from "vitest"
import { type Diagnostic, sentence } from "../../../src/base/diagnostic.ts"
import { grouped } from "../../../src/cli/views/grouped-diagnostics.ts"

const taken = (path: string, needs: "familiar" | "full" = "familiar"): Diagnostic => ({
  ...{ code: "skill-name-taken", path, name: "x", by: "y", needs },
})
const secret = (line: number): Diagnostic => ({ code: "secret", path: "a/b.md", line, kind: "a key" })

test("more than three of a kind in a folder are one, with a count", () => {
  const many = ["a", "b", "c", "d", "e"].map((name) => taken(`skills/${name}/SKILL.md`))
  const found = grouped([secret(1), ...many, secret(2)])
  expect(found).toEqual([secret(1), { ...many[0], others: 4 }, secret(2)])
  expect(sentence(found[1] ?? secret(0))).toMatch(/ \(the same in 4 other files of the folder\)$/)
})

test("three are shown, and so are those of other folders and other trust", () => {
  const three = ["a", "b", "c"].map((name) => taken(`skills/${name}/SKILL.md`))
  const others = [taken("other/d/SKILL.md"), taken("skills/e/SKILL.md", "full")]
  expect(grouped([...three, ...others])).toEqual([...three, ...others])
})

test("rules in folders of their own count for the folder that holds them all", () => {
  const rule = (path: string): Diagnostic => ({ code: "paths-without-effect", path, line: 1, key: "paths" })
  const rules = ["a", "b", "c", "d"].map((name) => rule(`rules/${name}/x.md`))
  expect(grouped(rules)).toMatchObject([{ path: "rules/a/x.md", others: 3 }])
})

test("what is said of a line of its own is never put together", () => {
  const secrets = Array.from({ length: 9 }, (_, line) => secret(line))
  expect(grouped(secrets)).toEqual(secrets)
})

test("copies of one file in many, and a key in many, are said once each", () => {
  const copy = (path: string, other: string): Diagnostic => ({
    ...{ code: "duplicate-paragraph", path, line: 7, other, otherLine: 1, paragraphs: 2 },
  })
  const key = (path: string, name: string): Diagnostic => ({
    ...{ code: "unknown-frontmatter-key", path, line: 2, key: name, nearest: "trust" },
  })
  const names = ["a", "b", "c", "d"].map((name) => `rules/${name}.md`)
  const [first = ""] = names
  const found = grouped([
    ...names.map((path) => copy(path, "AGENTS.md")),
    copy("rules/e.md", "SOUL.md"),
    ...names.map((path) => key(path, "Trust")),
    key(first, "trusts"),
  ])
  expect(found).toEqual([
    { ...copy(first, "AGENTS.md"), others: 3 },
    copy("rules/e.md", "SOUL.md"),
    { ...key(first, "Trust"), others: 3 },
    key(first, "trusts"),
  ])
})
