// `incipit run --json`: every line is JSON, live events and recorded ones, and nothing else is printed.
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { incipit } from "../run.ts"

interface Line {
  readonly kind?: string
  readonly type?: string
  readonly level?: string
  readonly reply?: { readonly state: string; readonly text: string }
}

function ran(...more: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "incipit-run-json-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync("examples/lighthouse", folder, { recursive: true, filter: (path) => !path.endsWith(".incipit") })
  const args = ["run", "what do you know about the winch?", "--json", "--model", "offline"]
  const { stdout, stderr, status } = incipit([...args, "--workspace", folder, "--home", folder, ...more])
  // A line that is no JSON fails here.
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line): Line => JSON.parse(line))
  return { lines, stderr, status }
}

const namesOf = (lines: readonly Line[], name: "kind" | "type") => [
  ...new Set(lines.flatMap((line) => line[name] ?? [])),
]

test("all that happens, live and as it is recorded", () => {
  const { lines, stderr, status } = ran()
  expect([stderr, status]).toEqual(["", 0])
  expect(lines.filter(({ kind, type }) => (kind === undefined) === (type === undefined))).toEqual([])
  expect(namesOf(lines, "kind")).toMatchInlineSnapshot(`
    [
      "turn-started",
      "epoch-started",
      "step-started",
      "step-finished",
      "tool-started",
      "tool-finished",
      "text",
      "turn-finished",
    ]
  `)
  expect(namesOf(lines, "type").toSorted()).toMatchInlineSnapshot(`
    [
      "api_call",
      "epoch_started",
      "memory_search",
      "message_received",
      "message_sent",
      "prompt_built",
      "session_created",
      "tool_call",
      "trust_resolved",
      "turn_completed",
      "turn_started",
    ]
  `)
  expect(lines.findLast(({ kind }) => kind === "turn-finished")?.reply?.state).toBe("answered")
})

test("less of what is recorded, if a level is given", () => {
  const { lines } = ran("--log-level", "error")
  expect([namesOf(lines, "kind").includes("turn-finished"), namesOf(lines, "type")]).toEqual([true, []])
})
