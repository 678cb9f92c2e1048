// Frontmatter that is not quite YAML: values are put in quotes line by line, and nothing else changes.
import fc from "fast-check"
import { expect, test } from "vitest"
import { splitFrontMatter } from "../../../src/sources/read/frontmatter.ts"
import { quotedValues } from "../../../src/sources/read/loose-yaml.ts"

const fields = (head: string) => splitFrontMatter(`---\n${head}\n---\nBody`, "a.md").fields

test.each([
  ["description: Use when: testing", { description: "Use when: testing" }],
  ["paths: **/*.ts", { paths: "**/*.ts" }],
  ["paths: [**/*.ts, 'src/*']", { paths: ["**/*.ts", "src/*"] }],
  ["paths:\n  - **/*.ts\n  - src/**", { paths: ["**/*.ts", "src/**"] }],
  ['name: a\ndescription: Say "hi": then go @home', { name: "a", description: 'Say "hi": then go @home' }],
])("%j is read as it was meant", (head, expected) => {
  expect(fields(head)).toEqual(expected)
})

test("what is not a list of keys and values stays unread", () => {
  expect(fields("description: [never closed")).toEqual({})
  expect(fields("just: words: and\n  broken\n more")).toEqual({})
})

test("every line keeps its place and its key", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (lines) => {
      const source = lines.join("\n")
      const quoted = quotedValues(source).split("\n")
      expect(quoted).toHaveLength(source.split("\n").length)
      for (const [at, line] of source.split("\n").entries())
        expect(quoted[at]?.split(/[:-]/, 1)).toEqual(line.split(/[:-]/, 1))
    }),
  )
})
