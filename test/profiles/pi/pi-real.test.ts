// What pi 0.57.1 itself printed for these folders, byte for byte. docs/profiles/pi.md describes how the files were
// made; don't update them.
import { readFileSync } from "node:fs"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openPiFolder, toolsNamed } from "./pi-folder.ts"

let here: ReturnType<typeof openPiFolder>
beforeEach(() => {
  here = openPiFolder()
})
afterEach(() => here.remove())

const real = (name: string) => readFileSync(`test/golden/pi/real-${name}.txt`, "utf8")

test.each([
  ["system", "workspace", ["read", "bash", "edit", "write"]],
  ["context", "workspace/app/till", ["read", "bash", "edit", "write"]],
  ["hostile", "workspace", ["read", "bash"]],
  ["blank", "workspace", ["read"]],
])("the folder %s gives what pi printed", (name, cwd, tools) => {
  here.fill(name)
  expect(here.text({ cwd, tools: toolsNamed(...tools) })).toBe(real(name))
})

test("skills are listed as pi printed them, except for half a sentence that its description omits", () => {
  here.fill("skills")
  const more = " (parent of SKILL.md / dirname of the path) and use that absolute path in tool commands"
  const [before = "", after = ""] = real("skills").split(more)
  expect(here.text({ tools: toolsNamed("read", "bash") })).toBe(before + after)
})

test("without the read tool skills are left out, as pi printed it", () => {
  here.fill("skills")
  expect(here.text({ tools: toolsNamed("bash") })).toBe(real("skills-without-read"))
})
