// The styles of all views are there at once, so no view may style what another one has under the same name.
import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

/** Of a view, or shared by all of them. */
function ownerOf(path: string): string {
  return /^page\/views\/([^/]+)\//.exec(path)?.[1] ?? "shared"
}

/** The class that each selector begins with. */
function classesIn(css: string): readonly string[] {
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/@media[^{]*\{/g, "")
  return [...bare.matchAll(/([^{}]+)\{[^{}]*\}/g)].flatMap(([, selectors = ""]) =>
    selectors.split(",").flatMap((selector) => /^\s*\.([a-z-]+)/.exec(selector)?.[1] ?? []),
  )
}

test("no two views have styles for the same class", () => {
  const owners = new Map<string, Set<string>>()
  for (const path of globSync("page/**/*.css"))
    for (const name of classesIn(readFileSync(path, "utf8")))
      owners.set(name, (owners.get(name) ?? new Set()).add(ownerOf(path)))
  const views = (name: string) => [...(owners.get(name) ?? [])].filter((owner) => owner !== "shared")
  expect(owners.size).toBeGreaterThan(100)
  expect(new Set([...owners.values()].flatMap((found) => [...found])).size).toBe(7)
  expect([...owners.keys()].filter((name) => views(name).length > 1)).toEqual([])
})
