// The first program that a reader of the README runs: saved under the name that the README gives it, run with the
// command that it gives, and compared with the output that it shows.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const [, section = ""] = readFileSync("README.md", "utf8").split("\n## Sixty seconds of library\n")
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
