// What Claude Code reads in a project besides CLAUDE.md: the file in `.claude`, rules on the way down and in subfolders,
// and a CLAUDE.md that builds on AGENTS.md. What only points at AGENTS.md, or says the same, is no loss and no finding.
import { symlinkSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openFolder } from "./context-folder.ts"

let here: ReturnType<typeof openFolder>
beforeEach(() => {
  here = openFolder()
  here.git("repo", "init", "-q")
})
afterEach(() => here.remove())

describe("the file in .claude", () => {
  test("is read, after CLAUDE.md, in every folder of the repository", () => {
    here.write("repo/CLAUDE.md", "top")
    here.write("repo/.claude/CLAUDE.md", "top too")
    here.write("repo/app/.claude/CLAUDE.md", "app")
    expect(here.gather("repo/app")).toEqual({
      files: ["/repo/CLAUDE.md: top", "/repo/.claude/CLAUDE.md: top too", "/repo/app/.claude/CLAUDE.md: app"],
      findings: [],
    })
  })

  test("is read alone, and once a file below it is touched", () => {
    here.write("repo/.claude/CLAUDE.md", "only")
    here.write("repo/lib/.claude/CLAUDE.md", "lib")
    expect(here.gather("repo").files).toEqual(["/repo/.claude/CLAUDE.md: only"])
    expect(here.touch("repo/lib/x.ts", "repo").files).toEqual(["/repo/lib/.claude/CLAUDE.md: lib"])
  })

  test("imports as seen from its own folder", () => {
    here.write("repo/.claude/CLAUDE.md", "@../docs/a.md")
    here.write("repo/docs/a.md", "a")
    expect(here.gather("repo").files).toEqual([
      "/repo/.claude/CLAUDE.md: @../docs/a.md",
      "/repo/docs/a.md: a",
    ])
  })

  test("gives way to AGENTS.md, and is not looked for above the repository", () => {
    here.write(".claude/CLAUDE.md", "of another program's user")
    here.write("repo/AGENTS.md", "agents")
    here.write("repo/.claude/CLAUDE.md", "claude")
    expect(here.gather("repo")).toEqual({
      files: ["/repo/AGENTS.md: agents"],
      findings: [
        "file-shadowed /repo/.claude/CLAUDE.md: is ignored because /repo/AGENTS.md takes its place. To read both, set prompt.context: all.",
      ],
    })
  })
})

describe("a CLAUDE.md beside AGENTS.md", () => {
  test.each([
    ["at its top", "@AGENTS.md\n\nUse the browser tools.\n"],
    ["in a sentence", "First read @AGENTS.md here.\n\nUse the browser tools.\n"],
    ["by its path", "@./AGENTS.md\nUse the browser tools.\n"],
  ])("that imports it %s is read after it, and it is sent once", (_where, text) => {
    here.write("repo/AGENTS.md", "agents")
    here.write("repo/CLAUDE.md", text)
    expect(here.gather("repo")).toEqual({
      files: ["/repo/AGENTS.md: agents", `/repo/CLAUDE.md: ${text}`],
      findings: [],
    })
  })

  test("in .claude that imports it is read, too, and so is a nested one", () => {
    here.write("repo/lib/AGENTS.md", "agents")
    here.write("repo/lib/.claude/CLAUDE.md", "@../AGENTS.md\nMore.")
    expect(here.touch("repo/lib/x.ts", "repo").files).toEqual([
      "/repo/lib/AGENTS.md: agents",
      "/repo/lib/.claude/CLAUDE.md: @../AGENTS.md\nMore.",
    ])
  })

  test.each([
    ["only imports it", "@AGENTS.md\n"],
    ["only imports it, below a heading", "# Claude\n\n<!-- one source of truth -->\n@AGENTS.md\n"],
    ["only points at it", "See [AGENTS.md](AGENTS.md) for the guidelines of this project.\n"],
    ["is a copy of it", "# Other title\nagents\nsay this\n"],
  ])("that %s adds nothing, and hides nothing", (_what, text) => {
    here.write("repo/AGENTS.md", "agents\nsay this\n")
    here.write("repo/CLAUDE.md", text)
    expect(here.gather("repo")).toEqual({ files: ["/repo/AGENTS.md: agents\nsay this\n"], findings: [] })
  })

  test("that imports another file does not take it in", () => {
    here.write("repo/AGENTS.override.md", "override")
    here.write("repo/AGENTS.md", "agents")
    here.write("repo/CLAUDE.md", "@AGENTS.md\nMore.")
    expect(here.gather("repo").files).toEqual(["/repo/AGENTS.override.md: override"])
  })

  test("that imports it in code does not", () => {
    here.write("repo/AGENTS.md", "agents")
    here.write("repo/CLAUDE.md", "`@AGENTS.md` is how one imports.\nMore text of its own, at some length.")
    expect(here.gather("repo").files).toEqual(["/repo/AGENTS.md: agents"])
  })
})

describe("rules", () => {
  test.each(["paths: '**'", "paths: ['**']", "paths: ['**/*']", "paths: ['src/**', '**']", "paths: []"])(
    "for every file (%s) apply from the start",
    (paths) => {
      here.write("repo/.claude/rules/all.md", `---\n${paths}\n---\nAll.`)
      expect(here.gather("repo").files).toEqual(["/repo/.claude/rules/all.md: All."])
    },
  )

  test("of the folders above apply in a nested working directory, up to the root of the repository", () => {
    here.write(".claude/rules/above.md", "above")
    here.write("repo/.claude/rules/root.md", "root")
    here.write("repo/packages/.claude/rules/packages.md", "packages")
    here.write("repo/packages/a/.claude/rules/a.md", "a")
    expect(here.gather("repo/packages/a").files).toEqual([
      "/repo/.claude/rules/root.md: root",
      "/repo/packages/.claude/rules/packages.md: packages",
      "/repo/packages/a/.claude/rules/a.md: a",
    ])
  })

  test("for paths are meant as seen from the folder that has them", () => {
    here.write("repo/.claude/rules/root.md", "---\npaths: packages/a/src/**\n---\nroot")
    here.write("repo/packages/a/.claude/rules/a.md", "---\npaths: src/**\n---\na")
    expect(here.gather("repo/packages/a").files).toEqual([])
    expect(here.touch("repo/packages/a/src/x.ts", "repo/packages/a").files).toEqual([
      "/repo/.claude/rules/root.md: root",
      "/repo/packages/a/.claude/rules/a.md: a",
    ])
    expect(here.touch("repo/packages/a/x.ts", "repo/packages/a").files).toEqual([])
  })

  test("of a nested folder are sent once a file below it is touched", () => {
    here.write("repo/lib/.claude/rules/always.md", "always")
    here.write("repo/lib/.claude/rules/some.md", "---\npaths: '*.ts'\n---\nsome")
    expect(here.gather("repo").files).toEqual([])
    expect(here.touch("repo/lib/x.md", "repo").files).toEqual(["/repo/lib/.claude/rules/always.md: always"])
    expect(here.touch("repo/lib/x.ts", "repo").files).toHaveLength(2)
  })

  test("are found in subfolders", () => {
    here.write("repo/.claude/rules/b.md", "b")
    here.write("repo/.claude/rules/a/deep.md", "deep")
    here.write("repo/.claude/rules/.hidden/x.md", "hidden")
    symlinkSync(".", here.at("repo/.claude/rules/again"))
    expect(here.gather("repo").files).toEqual([
      "/repo/.claude/rules/a/deep.md: deep",
      "/repo/.claude/rules/b.md: b",
    ])
  })

  test("may name several globs on one line, with braces", () => {
    here.write("repo/.claude/rules/x.md", "---\npaths: src/**/*.{ts,tsx}, docs/**\n---\nx")
    expect(here.gather("repo").files).toEqual([])
    for (const touched of ["src/a/b.tsx", "src/b.ts", "docs/c.md"])
      expect(here.touch(`repo/${touched}`, "repo").files).toHaveLength(1)
    expect(here.touch("repo/src/b.js", "repo").files).toEqual([])
  })

  test("with a glob that YAML takes for an alias are held back all the same", () => {
    here.write("repo/.claude/rules/x.md", "---\ndescription: Use when: testing\npaths: **/*.ts\n---\nx")
    expect(here.gather("repo").files).toEqual([])
    expect(here.touch("repo/src/b.ts", "repo").files).toEqual(["/repo/.claude/rules/x.md: x"])
  })
})
