// `incipit run` in a conversation that outgrew its window: what was made shorter is said, and what is no longer sent.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { incipit } from "../run.ts"

test("a section that must be there and is gone is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-compacts-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, "incipit.yaml"), "budget: { window: 16000, reserve: 1000 }\n")
  writeFileSync(join(folder, "IDENTITY.md"), "You are Fresnel.\n")
  const run = (message: string) => incipit(["run", message, "--workspace", folder, "--home", folder])
  run("Hello.")
  run("lamp ".repeat(6_000))
  rmSync(join(folder, "IDENTITY.md"))
  const { stderr, status } = run("Who are you?")
  const lines = stderr.split("\n").filter((line) => line.startsWith("conversation"))
  expect([status, lines.map((line) => line.replaceAll(/\d[\d,]*/g, "N"))]).toEqual([
    0,
    ["conversation compacted: N to N tokens; no longer sent: identity"],
  ])
})
