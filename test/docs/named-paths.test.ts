// The pages that lead a reader through the code name files and folders that exist, and the tree shows every folder.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const ARCHITECTURE = "docs/architecture.md"
const PAGES = [ARCHITECTURE, "AGENTS.md"]

/** A path from the root of the repository. */
const PATH = /(?<![\w./-])(?:src|page|test|docs|scripts|examples|bench|schema|bin)\/[\w./-]*/g

test.each(PAGES)("every path in %s exists", (page) => {
  const named = [...readFileSync(page, "utf8").matchAll(PATH)].map(([path]) => path.replace(/\.$/, ""))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

test.each([
  ["README.md", 150],
  ["AGENTS.md", 80],
])("%s has fewer than %i lines", (page, limit) => {
  expect(readFileSync(page, "utf8").split("\n").length - 1).toBeLessThan(limit)
})

test.each(["src", "page"])("the tree names every folder of %s", (top) => {
  const folders = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
  expect(foldersOfTree(top).sort()).toEqual(folders.sort())
})

/** Two spaces for each level. */
function foldersOfTree(top: string): string[] {
  const text = readFileSync(ARCHITECTURE, "utf8")
  const tree = new RegExp(`^\`\`\`text\\n${top}/\\n([\\s\\S]*?)^\`\`\``, "m").exec(text)?.[1] ?? ""
  const above = [top]
  return [...tree.matchAll(/^( +)([\w-]+)\/ /gm)].map(([, indent = "", name = ""]) => {
    above.splice(indent.length / 2)
    above.push(name)
    return join(...above)
  })
}
