// The directories that an agent.json names: a running agent is told only those that it can also read.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { novaSystem } from "../../../src/sources/systems/nova.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"

test("of those outside of the workspace, only the approved ones, by where links lead", () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "incipit-nova-")))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const root = join(base, "w")
  for (const path of ["w/agents/baker", "w/recipes", "shared", "secret"])
    mkdirSync(join(base, path), { recursive: true })
  symlinkSync(join(base, "secret"), join(root, "link"))
  const directories = ["recipes", "link", join(base, "shared"), join(base, "secret"), "/nowhere"]
  writeFileSync(
    join(root, "agents/baker/agent.json"),
    JSON.stringify({ identity: "The baker.", directories }),
  )
  const workspace = openWorkspace(root)
  const told = (approved?: ReadonlySet<string>) =>
    gatherAgent(workspace, { system: novaSystem, ...(approved && { approved }) }).value.files[0]?.fields
      .directories
  expect(told(new Set())).toEqual([join(root, "recipes")])
  expect(told(new Set([join(base, "shared")]))).toEqual([join(root, "recipes"), join(base, "shared")])
  // Whoever only builds a prompt sees what the file says.
  expect(told()).toHaveLength(5)
})
