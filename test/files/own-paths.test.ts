// One file knows how Incipit names its own files: nobody else spells the folder out.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const SOURCES = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join("src", name))

/** Comments may speak of it. */
function code(path: string): string {
  return readFileSync(path, "utf8")
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .split("\n")
    .map((line) => line.replace(/(^|\s)\/\/.*$/, ""))
    .join("\n")
}

test("only src/files/paths.ts has the names of the folder and the files in it", () => {
  const found = SOURCES.filter((path) =>
    /\.incipit\b|\\\.incipit|(?:agent|record|memory|folders)\.db/.test(code(path)),
  )
  // What a model may read of the home folder is told in prompts, as people write it.
  expect(found.toSorted()).toEqual([
    join("src", "core", "view", "reader.ts"),
    join("src", "files", "paths.ts"),
  ])
})
