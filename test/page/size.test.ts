// How large the scripts of the page are, as they are sent. `dist/page` is that of the last build.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { expect, test } from "vitest"

const FOLDER = "dist/page/page"
const MOST_BYTES = 150_000
const MOST_OF_VIEW = 90_000
/** Loaded only to count tokens in the browser. */
const TABLE = /^token-table-/

const scripts = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".js.br") && !TABLE.test(name))
  .map((name) => name.replace(/\.br$/, ""))
const views = scripts.filter((name) => /-view-/.test(name))

/** Compressed. */
function bytesOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + statSync(join(FOLDER, `${name}.br`)).size, 0)
}

/** A script and what it imports. */
function loaded(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name) || !scripts.includes(name)) return found
  found.add(name)
  const text = brotliDecompressSync(readFileSync(join(FOLDER, `${name}.br`))).toString()
  for (const [, other = ""] of text.matchAll(/(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g))
    loaded(other, found)
  return found
}

const named = (start: string) => scripts.filter((name) => name.startsWith(start))
const [index = "", worker = ""] = [...named("index-"), ...named("what-if-worker-")]
const profiles = scripts.filter((name) => name !== worker && loaded(name).has(worker))
/** These start the worker, which loads one profile. */
const COMPILING = ["what-if-view-", "diff-view-"]

test("all scripts together are small", () => {
  expect(views).toHaveLength(6)
  expect(profiles).toHaveLength(6)
  expect(bytesOf(scripts)).toBeLessThan(MOST_BYTES)
})

test.each(views)("%s and all that it loads are small", (view) => {
  const own = bytesOf(new Set([...loaded(index), ...loaded(view)]))
  const isCompiling = COMPILING.some((start) => view.startsWith(start))
  const compiler = bytesOf([worker]) + Math.max(...profiles.map((name) => bytesOf([name])))
  expect(isCompiling ? own + compiler : own).toBeLessThan(MOST_OF_VIEW)
})
