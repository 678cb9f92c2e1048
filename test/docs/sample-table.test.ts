// The table of the sample is what the command above it prints, in this repository, for whoever types it.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { incipitHere } from "../cli/here.ts"

test("the command above the table of the sample prints it", async () => {
  const page = readFileSync("docs/guide/workspace.md", "utf8")
  const [, command, table] =
    /```sh\nnpx incipit (.+)\n```\n\n<!-- start: sample -->\n```text\n([^`]+)```/.exec(page) ?? []
  const { stdout, status } = await incipitHere(command?.split(" ") ?? [], {
    cwd: process.cwd(),
    env: { HOST: "another", SHELL: "/bin/zsh", LANG: "sv_SE.UTF-8" },
    home: "/nowhere",
  })
  expect({ stdout, status }).toEqual({ stdout: table, status: 0 })
})
