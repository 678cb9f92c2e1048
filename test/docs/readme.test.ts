// What a reader of the README does and reads first. Its program is saved under the name that the README gives it, run
// with the command that it gives, and compared with the output that it shows; its figures are those of the pages that
// they link to.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { warmIncipit as incipit } from "../cli/run.ts"

const README = readFileSync("README.md", "utf8")
const [, section = ""] = README.split("\n## Sixty seconds of library\n")
const [, program = "", shown = ""] =
  /^```ts\n([\s\S]*?)^```\n[\s\S]*?^```text\n([\s\S]*?)^```/m.exec(section) ?? []

test("the program of the README prints what the README shows", () => {
  const [, name = "", command = ""] = /Save it as `(\S+)` .* run `npx (.*?)`/.exec(section) ?? []
  expect(command).toBe(`node ${name}`)
  // Inside the repository, so that the package finds itself by name.
  const folder = mkdtempSync(join("test", "docs", "tmp-"))
  try {
    writeFileSync(join(folder, name), program)
    const { stdout, stderr } = spawnSync("node", [name], { cwd: folder, encoding: "utf8" })
    expect({ stdout, stderr }).toEqual({ stdout: shown, stderr: "" })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  [
    "system prompt costs ([\\d.]+) times as much",
    /^### 8 turns[\s\S]*?end of the system text, four breakpoints \|.*\| (\S+) \|$/m,
  ],
  [
    "only the turn changed takes (\\S+ µs)",
    /^\| \*\*Incipit\*\*, with plan and text \|.*\| (\S+ µs) \| 8 \|$/m,
  ],
  [
    "with prompt-tsx it takes (\\S+ ms)",
    /^\| prompt-tsx, one message, memoized counts \|.*\| (\S+ ms) \| 7 \|$/m,
  ],
  [
    "keeps no report, (\\S+ µs), both",
    /^\| LangChain trimMessages, memoized counts \|.*\| (\S+ µs) \| 7 \|$/m,
  ],
])("the figure in “%s” is that of the benchmarks", (sentence, row) => {
  const [, said] = new RegExp(sentence).exec(README) ?? []
  const [, measured] = row.exec(readFileSync("docs/benchmarks.md", "utf8")) ?? []
  expect(said).toBe(measured)
  expect(said).toBeDefined()
})

test("what the README says of the recorded session is on its bill", () => {
  const { stdout } = incipit(["bill", "examples/bill", "--json"])
  const bill = JSON.parse(stdout)
  const [miss] = bill.misses
  const [, tokens = "", dollars = ""] =
    /([\d,]+) tokens, (\$[\d.]+) more than reading them there\. The bill names/.exec(README) ?? []
  expect([miss.owner.path, miss.owner.line]).toEqual(["/home/ada/lighthouse/AGENTS.md", 3])
  expect([Math.round(miss.tokens / 1000) * 1000, `$${miss.costUsd.toFixed(2)}`]).toEqual([
    Number(tokens.replace(",", "")),
    dollars,
  ])
})
