// The guide to the chat shows what the chat does now: its pictures, and its example of a pipe.
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { terminalPictures } from "../../scripts/terminal-pictures.ts"

test("the pictures are what the chat draws", async () => {
  const made = [...(await terminalPictures())]
  expect(made.map(([path]) => [path, readFileSync(path, "utf8")])).toEqual(made)
})

test("the example of a pipe prints what it says", () => {
  const [, command = "", printed] =
    /^```text\n\$ (.*) \| incipit chat\n([\s\S]*?)^```/m.exec(readFileSync("docs/guide/chat.md", "utf8")) ??
    []
  const folder = mkdtempSync(join(tmpdir(), "incipit-guide-"))
  try {
    cpSync("examples/lighthouse", folder, { recursive: true })
    const { stdout, status } = spawnSync(
      "sh",
      ["-c", `${command} | node '${resolve("bin/incipit.js")}' chat`],
      {
        encoding: "utf8",
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, TZ: "UTC" },
      },
    )
    expect({ stdout, status }).toEqual({ stdout: printed, status: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
