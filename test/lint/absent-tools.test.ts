import { expect, test } from "vitest"
import { makeTool } from "../core/make.ts"
import { lintText } from "./lint-text.ts"

const TOOLS = { tools: [makeTool("read")], knownTools: ["read", "grep", "shell", "memory_get", "list"] }

test("an unregistered tool is reported once, at its first mention", () => {
  const text =
    "Use `read`.\nUse the `grep` tool and `memory_get(path)`.\n`grep` again, then call the tool shell(command).\n"
  const at = (line: number, tool: string) => ({
    code: "names-absent-tool",
    path: "rules/a.md",
    line,
    tool,
    needs: "public",
  })
  expect(lintText(text, TOOLS)).toEqual([at(2, "grep"), at(2, "memory_get"), at(3, "shell")])
})

test("ordinary words, methods, code and unknown tools don't count as mentions", () => {
  const text =
    "List what you grep in the shell. `GREP` `grep -r` `unknown` unknown(x) a.list(x) my-list(x) list (x)\n```\nlist(x)\n`grep`\n```\n"
  expect(lintText(text, TOOLS)).toEqual([])
})

test.each([
  "`tail`/`grep` this file to look at the log",
  "`list(options)` passthrough.",
  "It needs `shell`-permission on the server.",
  "Prefer `list`, `map` and `set`.",
  "Run `grep`; a tool such as jq helps with what it prints, which may be long.",
])("a command, a function or a permission isn't a tool: %s", (text) => {
  expect(lintText(text, TOOLS)).toEqual([])
})

test.each(["Use the tools `grep` and `list`.", "The tool `grep` is fast; the `list` tool is not."])(
  "what is called a tool is one: %s",
  (text) => {
    expect(lintText(text, TOOLS)).toHaveLength(2)
  },
)
