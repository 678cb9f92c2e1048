// The sizes in docs/benchmarks.md are those of the build, within a tolerance: every change moves them by a few bytes.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { bundleRows } from "../../bench/measure/bundle-table.ts"

const TOLERANCE = 0.1
/** In bytes: the table rounds to a tenth of a kilobyte. */
const LEAST = 100

const rows = await bundleRows()
const page = readFileSync("docs/benchmarks.md", "utf8")
const [, section = ""] = /^## Sizes in a browser\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(page) ?? []
const shown = new Map(
  [...section.matchAll(/^\| (.+) \| ([\d.,]+) kB \| ([\d.,]+) kB \|$/gm)].map(
    ([, name = "", minified, gzip]) => [
      name,
      [minified, gzip].map((figure) => Number(figure?.replaceAll(",", "")) * 1000),
    ],
  ),
)

test("the table has a row for everything that is measured", () => {
  expect([...shown.keys()]).toEqual(rows.map(({ name }) => name))
})

test.each(rows)("a page that imports $name has the size that is shown", ({ name, minified, gzip }) => {
  const off = [minified, gzip].map((bytes, at) => {
    const figure = shown.get(name)?.[at] ?? Number.NaN
    return Math.abs(bytes - figure) <= Math.max(figure * TOLERANCE, LEAST) ? "as shown" : { bytes, figure }
  })
  expect(off).toEqual(["as shown", "as shown"])
})

test.each(rows)("a page that imports $name needs no other module", ({ imports }) => {
  expect(imports).toEqual([])
})

test("only what counts carries the token table", () => {
  const large = rows.filter(({ minified }) => minified > 1_000_000).map(({ name }) => name)
  expect(large).toEqual([
    "everything of `incipit`",
    "everything of `incipit/tokens`",
    "`definePrompt` of `incipit`",
    "`createCompiler` of `incipit`",
  ])
})
