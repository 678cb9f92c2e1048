// The pictures of the page in the guide: each exists for both colour schemes, is small, and shows what the page says now.
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { pagePictures } from "../../scripts/page-pictures.ts"
import shown from "../../scripts/pictures/shown.json" with { type: "json" }

const NAMES = Object.keys(shown)
const FILES = NAMES.flatMap((name) => [`page-${name}-dark.png`, `page-${name}-light.png`])
const MOST_BYTES = 135_000

test("every picture that a document names exists", () => {
  const named = ["README.md", ...globSync("docs/**/*.md")].flatMap((document) =>
    [...readFileSync(document, "utf8").matchAll(/(?:src|srcset)="([^":]+)"|!\[[^\]]*\]\(([^):]+)\)/g)].map(
      ([, tag, link]) => join(dirname(document), tag ?? link ?? ""),
    ),
  )
  expect(named.length).toBeGreaterThan(FILES.length)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test("the guide shows each picture in both colour schemes, and says what is on it", () => {
  const guide = readFileSync("docs/guide/page.md", "utf8")
  const pictures = [...guide.matchAll(/<picture>\n(.*)\n(.*)\n<\/picture>/g)].map(
    ([, dark = "", light = ""]) => [
      /^ {2}<source media="\(prefers-color-scheme: dark\)" srcset="pictures\/page-([\w-]+)-dark\.png">$/.exec(
        dark,
      )?.[1],
      /^ {2}<img src="pictures\/page-([\w-]+)-light\.png"(?: width="\d+")? alt="[^"]{40,}">$/.exec(
        light,
      )?.[1],
    ],
  )
  expect(pictures.toSorted()).toEqual(NAMES.map((name) => [name, name]).toSorted())
})

test("the pictures are PNG of the widths that the page is made for, small, and no others are there", () => {
  const files = globSync("docs/guide/pictures/page-*")
  expect(files.map((path) => path.replace(/^.*\//, "")).sort()).toEqual(FILES.toSorted())
  for (const path of files) {
    const width = readFileSync(path).readUInt32BE(16)
    expect([path, width]).toEqual([path, path.includes("page-narrow-") ? 360 : 1280])
    expect([path, statSync(path).size < MOST_BYTES]).toEqual([path, true])
  }
})

/** If this fails because the page has changed: `npm run pictures`. */
test("the page says what it said when the pictures were taken", async () => {
  const now = [...(await pagePictures())].map(([name, { text }]) => [name, text])
  expect(Object.fromEntries(now)).toEqual(shown)
})
