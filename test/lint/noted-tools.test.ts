// TOOLS.md is about tools, so an entry that begins with an unregistered name is about a missing tool.
import { expect, test } from "vitest"
import { makeFile, makeTool } from "../core/make.ts"
import { lintFiles } from "./lint-text.ts"

const TEXT = [
  "# Tools",
  "- `tide_window` answers for one day.",
  "- **`lamp_check`** times ten turns; `tide_window` comes first.",
  "### `fog_horn`",
  "- `read_log` is registered.",
  "- `jq` is a program, `data/tides.csv` a file, **Tide table** a name.",
  "- The column `height_m` is in metres.",
  "```",
  "- `in_code` is not said",
  "```",
  "1. `tide_window` again",
].join("\n")
const TOOLS = { tools: [makeTool("read_log")] }

function found(role: string, input = {}) {
  const file = makeFile({ role, path: "TOOLS.md", text: TEXT })
  return lintFiles([file], { ...TOOLS, ...input }).map((finding) =>
    finding.code === "names-absent-tool" ? [finding.line, finding.tool] : finding,
  )
}

test("each is reported once, where its entry begins", () => {
  expect(found("tool-notes")).toEqual([
    [2, "tide_window"],
    [3, "lamp_check"],
    [4, "fog_horn"],
  ])
})

test("in other files such a name may be anything", () => {
  expect(found("rules")).toEqual([])
})

test("nothing is reported if a run may have more tools than are known", () => {
  expect(found("tool-notes", { hasAllTools: false })).toEqual([])
})

test("a known tool that is missing is reported once, not twice", () => {
  expect(found("tool-notes", { knownTools: ["tide_window"] })).toHaveLength(3)
})
