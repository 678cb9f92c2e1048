// What is inside a folder: by table, and for any two paths the same as comparing their names one by one.
import { posix } from "node:path"
import fc from "fast-check"
import { expect, test } from "vitest"
import { nearestPlace } from "../../src/files/gate/places.ts"
import { isInside, shownFrom } from "../../src/files/inside.ts"

test.each([
  ["/a/b", "/a", true, "b"],
  ["/a", "/a", true, ""],
  ["/a/", "/a", true, ""],
  ["/a/b/c", "/a/", true, "b/c"],
  ["/a", "/a/b", false, "/a"],
  ["/ab", "/a", false, "/ab"],
  ["/a/..b", "/a", true, "..b"],
  ["/a/...", "/a", true, "..."],
  ["/a/.b", "/a", true, ".b"],
  ["/a/../b", "/a", false, "/a/../b"],
  ["/a/b/..", "/a", true, ""],
  ["/a/./b", "/a", true, "b"],
  ["/x/../a/b", "/a", true, "b"],
  ["/a/b", "/x/../a", true, "b"],
  ["/a//b", "/a", true, "b"],
  ["/a", "/", true, "a"],
  ["/", "/", true, ""],
  ["/", "/a", false, "/"],
  ["/A/b", "/a", false, "/A/b"],
])("%s in %s: %s, shown as %s", (path, folder, expected, shown) => {
  expect(isInside(path, folder)).toBe(expected)
  expect(shownFrom(path, folder)).toBe(shown)
})

const NAME = fc.constantFrom("a", "b", "ab", ".", "..", "", "..a", ".a", "a.", "…")
const PATH = fc.array(NAME, { maxLength: 6 }).map((names) => `/${names.join("/")}`)

/** The definition: resolved, the names of the folder begin the names of the path. */
function isInsideByNames(path: string, folder: string): boolean {
  const [names, first] = [path, folder].map((one) => posix.resolve(one).split("/").filter(Boolean))
  return first?.every((name, at) => names?.[at] === name) ?? false
}

test("for any two paths, it is inside if the names of the folder begin the names of the path", () => {
  fc.assert(
    fc.property(PATH, PATH, (path, folder) => {
      expect(isInside(path, folder)).toBe(isInsideByNames(path, folder))
    }),
    { numRuns: 2_000 },
  )
})

test("what is shown leads back to the same file", () => {
  fc.assert(
    fc.property(PATH, PATH, (path, folder) => {
      expect(posix.resolve(folder, shownFrom(path, folder))).toBe(posix.resolve(path))
    }),
    { numRuns: 2_000 },
  )
})

test("a workspace that is the root of the disk gives its files to nobody who could not read them elsewhere", () => {
  const all = [{ path: "/", trust: "familiar", kind: "open" }] as const
  expect(nearestPlace({ all, linked: [], state: [] }, "/etc/hosts").trust).toBe("inner")
})
