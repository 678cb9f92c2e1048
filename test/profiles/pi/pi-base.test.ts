// The base of the `pi` profile: the identity statement, tools, guidelines and documentation, or a SYSTEM.md instead.
import { symlinkSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Tool } from "../../../src/core/model/inputs.ts"
import { longClockText } from "../../../src/profiles/pi/parts.ts"
import { openPiFolder, toolsNamed } from "./pi-folder.ts"

let here: ReturnType<typeof openPiFolder>
beforeEach(() => {
  here = openPiFolder()
})
afterEach(() => here.remove())

const custom = (facts: Partial<Tool>): Tool => ({
  name: "deploy",
  description: "Put the program on a server.",
  parameters: {},
  ...facts,
})
const guidelines = (tools: readonly Tool[]) =>
  here.section("pi/guidelines", { tools })?.trim().split("\n- ").slice(1)

describe("the list of tools", () => {
  const line = (tool: Tool) =>
    here
      .section("pi/tools", { tools: [tool] })
      ?.split("\n")
      .at(-1)

  test("has a line for each active tool, in the order in which they are active", () => {
    expect(here.section("pi/tools", { tools: toolsNamed("write", "read") })).toBe(
      "\n\nAvailable tools:\n- write: Create or overwrite files\n- read: Read file contents",
    )
  })

  test("says what it knows of each of the seven built-in tools", () => {
    const tools = toolsNamed("read", "bash", "edit", "write", "grep", "find", "ls")
    expect(here.section("pi/tools", { tools })?.split("\n").slice(3)).toEqual([
      "- read: Read file contents",
      "- bash: Execute bash commands (ls, grep, find, etc.)",
      "- edit: Make surgical edits to files (find exact text and replace)",
      "- write: Create or overwrite files",
      "- grep: Search the contents of files for a pattern",
      "- find: Find files whose path matches a pattern",
      "- ls: List what is in a directory",
    ])
  })

  test("prefers a tool's promptSnippet", () => {
    expect(line(custom({ promptSnippet: "Deploys" }))).toBe("- deploy: Deploys")
    expect(line(custom({ name: "read", promptSnippet: "Reads better" }))).toBe("- read: Reads better")
  })

  test("puts a promptSnippet on one line, without white space at its ends", () => {
    expect(line(custom({ promptSnippet: "  Deploys\r\n\tto  a\n\nserver " }))).toBe(
      "- deploy: Deploys to a server",
    )
  })

  test("falls back on what is known of a built-in tool, then on the name", () => {
    expect(line(custom({ name: "read" }))).toBe("- read: Read file contents")
    expect(line(custom({}))).toBe("- deploy: deploy")
    expect(line(custom({ promptSnippet: " \n" }))).toBe("- deploy: deploy")
    expect(line(custom({ name: "constructor" }))).toBe("- constructor: constructor")
  })

  test('says "(none)" if there are none', () => {
    expect(here.section("pi/tools", { tools: [] })).toBe("\n\nAvailable tools:\n(none)")
  })
})

describe("guidelines", () => {
  const always = ["Be concise in your responses", "Show file paths clearly when working with files"]
  const prefer = "Prefer grep/find/ls tools over bash for file exploration"
  const plain = "When summarizing your actions, output plain text directly"
  const precise = "Use edit for precise changes (old text must match exactly)"

  test.each([
    [[], []],
    [["bash"], ["Use bash for file operations like ls, rg, find"]],
    [["bash", "grep"], [prefer]],
    [["bash", "find"], [prefer]],
    [["ls", "bash"], [prefer]],
    [["grep", "find", "ls"], []],
    [["read"], []],
    [["edit"], [precise, plain]],
    [
      ["edit", "read"],
      ["Use read to examine files before editing", precise, plain],
    ],
    [["write"], ["Use write only for new files or complete rewrites", plain]],
  ])("for %j", (names, expected) => {
    expect(guidelines(toolsNamed(...names))).toEqual([...expected, ...always])
  })

  test("of other tools come after the built-in ones and before the two that are always there", () => {
    const tools = [
      custom({ promptGuidelines: ["  Ask before you deploy\n"] }),
      ...toolsNamed("write"),
      custom({ name: "b", promptGuidelines: ["Second", " "] }),
    ]
    expect(guidelines(tools)).toEqual([
      "Use write only for new files or complete rewrites",
      plain,
      "Ask before you deploy",
      "Second",
      ...always,
    ])
  })

  test("that several tools bring are listed once, where the first one is", () => {
    const tools = [
      custom({ name: "a", promptGuidelines: ["Same", "Show file paths clearly when working with files"] }),
      custom({ name: "b", promptGuidelines: ["Other", "Same", "same"] }),
    ]
    expect(guidelines(tools)).toEqual(["Same", always[1], "Other", "same", always[0]])
  })
})

describe("documentation", () => {
  const told = (documentation: unknown) =>
    here.section("pi/documentation", { session: { inputs: { documentation } } })

  test("is pointed to where its paths are known", () => {
    expect(told({ main: "/p/README.md", additional: "/p/docs", examples: "/p/examples" })).toBe(
      [
        "\n\nPi documentation (read only when the user asks about pi itself):",
        "- Main documentation: /p/README.md",
        "- Additional docs: /p/docs",
        "- Examples: /p/examples",
      ].join("\n"),
    )
    expect(told({ main: 7, examples: "/p/examples" })?.split("\n").slice(3)).toEqual([
      "- Examples: /p/examples",
    ])
  })

  test.each([undefined, null, "x", 7, [], {}, { main: "" }, { main: {} }])("is left out for %j", (value) => {
    expect(told(value)).toBeUndefined()
  })

  test("is found beside the program on the PATH, or where PI_PACKAGE_DIR says", () => {
    const program = here.write("lib/pi-package/dist/pi", "")
    here.write("lib/pi-package/package.json", "{}")
    here.write("other/pi", "")
    const paths = (env: Record<string, string>) =>
      here.section("pi/documentation", { session: { env } })?.split("\n").slice(3)
    const PATH = `relative:${here.path}/none:${program.slice(0, -3)}`
    expect(paths({ PATH })).toBeUndefined()
    for (const name of ["README.md", "docs/x.md", "examples/x.ts"]) here.write(`lib/pi-package/${name}`, "")
    expect(paths({ PATH })).toEqual([
      "- Main documentation: /folder/lib/pi-package/README.md",
      "- Additional docs: /folder/lib/pi-package/docs",
      "- Examples: /folder/lib/pi-package/examples",
    ])
    expect(paths({ PATH: `${here.path}/other:${PATH}` })).toBeUndefined()
    expect(paths({ PATH, PI_PACKAGE_DIR: "~/pi" })?.[0]).toBe(
      "- Main documentation: /folder/home/pi/README.md",
    )
  })
})

describe("SYSTEM.md", () => {
  const ids = ["pi/base", "pi/tools", "pi/custom-tools", "pi/guidelines", "pi/documentation"]
  const documentation = { main: "/p/README.md" }
  const outcomes = () =>
    here
      .compile({ session: { inputs: { documentation } } })
      .plan.entries.filter(({ id }) => ids.includes(id))
      .map(({ outcome }) => outcome.kind)

  test("replaces the identity, the tools, the guidelines and the pointers, all of them", () => {
    expect(outcomes()).toEqual(["included", "included", "included", "included", "included"])
    here.write("workspace/.pi/SYSTEM.md", "Mine.")
    expect(outcomes()).toEqual(["included", "unused", "unused", "unused", "unused"])
    expect(here.section("pi/base")).toBe("Mine.")
  })

  test("of the project takes precedence over the home folder's, and .pi over .sf; only one is sent", () => {
    const places = ["home/.sf/agent", "home/.pi/agent", "workspace/.sf", "workspace/.pi"]
    const told = places.map((place) => {
      here.write(`${place}/SYSTEM.md`, `From ${place}.`)
      return here.section("pi/base")
    })
    expect(told).toEqual(places.map((place) => `From ${place}.`))
  })

  test("that is empty counts as absent, and still hides the home folder's", () => {
    here.write("workspace/.pi/SYSTEM.md", "")
    here.write("home/.pi/agent/SYSTEM.md", "Global.")
    expect(here.section("pi/base")).toMatch(/^You are a purpose-driven software compiler\./)
    expect(outcomes()).toEqual(["included", "included", "included", "included", "included"])
  })

  test("keeps its provenance, frontmatter included", () => {
    here.write("workspace/.pi/SYSTEM.md", "---\na: b\n---\nMine.\n")
    const [entry] = here.compile().plan.entries.filter(({ id }) => id === "pi/base")
    expect(entry?.spans.map(({ from }) => from)).toMatchObject([
      { kind: "file", path: ".pi/SYSTEM.md", lines: [1, 4] },
    ])
  })

  test("that cannot be read is not taken for absent", () => {
    here.write("workspace/.pi/settings.json", "{}")
    // A link to itself cannot be followed.
    symlinkSync("SYSTEM.md", `${here.root}/.pi/SYSTEM.md`)
    expect(outcomes()).toEqual(["unused", "unused", "unused", "unused", "unused"])
  })
})

test.each([
  ["America/Chicago", Date.UTC(2026, 2, 7, 14, 55, 5), "Saturday, March 7, 2026 at 08:55:05 AM CST"],
  ["America/Chicago", Date.UTC(2026, 2, 8, 8, 0, 0), "Sunday, March 8, 2026 at 03:00:00 AM CDT"],
  ["UTC", Date.UTC(2026, 11, 31, 0, 0, 9), "Thursday, December 31, 2026 at 12:00:09 AM UTC"],
  ["UTC", Date.UTC(2026, 11, 31, 12, 30, 0), "Thursday, December 31, 2026 at 12:30:00 PM UTC"],
  ["Asia/Kolkata", Date.UTC(2025, 11, 31, 18, 30), "Thursday, January 1, 2026 at 12:00:00 AM GMT+5:30"],
])("the clock in %s", (zone, now, expected) => {
  expect(longClockText(now, zone)).toBe(expected)
})
