// Our own path functions as they work on Linux and macOS, and as they would on Windows: with each half of `node:path`.
// Only the names: Incipit has never been run on Windows.
import { posix, win32 } from "node:path"
import { afterEach, describe, expect, test, vi } from "vitest"

afterEach(() => {
  vi.doUnmock("node:path")
  vi.resetModules()
})

async function loaded(path: typeof posix) {
  vi.resetModules()
  vi.doMock("node:path", () => ({ ...path, default: path }))
  return {
    ...(await import("../../src/files/inside.ts")),
    ...(await import("../../src/files/paths.ts")),
  }
}

describe.each([
  {
    style: "posix",
    path: posix,
    home: "/home/ada",
    other: "/srv/ada",
    local: "/home/ada/.local/state/incipit",
  },
  {
    style: "win32",
    path: win32,
    home: "C:\\Users\\ada",
    other: "D:\\Users\\ada",
    local: "C:\\Users\\ada\\.local\\state\\incipit",
  },
])("$style", ({ path, home, other, local }) => {
  test("what is inside a folder", async () => {
    const { isInside } = await loaded(path)
    const { join } = path
    expect(
      [home, join(home, "notes"), join(home, "..notes"), `${home}-2`, join(home, ".."), other].map((one) =>
        isInside(one, home),
      ),
    ).toEqual([true, true, true, false, false, false])
  })

  test("paths are shown with forward slashes from their folder, and whole elsewhere", async () => {
    const { shownFrom } = await loaded(path)
    expect(shownFrom(path.join(home, "rules", "tea.md"), home)).toBe("rules/tea.md")
    expect(shownFrom(path.join(other, "tea.md"), home)).toBe(path.join(other, "tea.md"))
  })

  test("where state is kept, and which files are state", async () => {
    const { isStateFile, stateHome } = await loaded(path)
    expect(stateHome({ home, env: {} })).toBe(local)
    expect(stateHome({ home, env: { XDG_STATE_HOME: "state" } })).toBe(local)
    expect(stateHome({ home, env: { XDG_STATE_HOME: other } })).toBe(path.join(other, "incipit"))
    const folder = "0123456789abcdef0123"
    expect(
      [
        path.join(folder, "agent.db"),
        path.join(folder, "documents", "MEMORY.md"),
        path.join("notes", "agent.db"),
      ].map(isStateFile),
    ).toEqual([true, true, false])
  })
})

test("on Windows, the case of a drive and slashes of either kind make no difference", async () => {
  const { isInside } = await loaded(win32)
  expect(isInside("c:\\users\\ada\\notes", "C:\\Users\\ada")).toBe(true)
  expect(isInside("C:/Users/ada/notes", "C:\\Users\\ada")).toBe(true)
})
