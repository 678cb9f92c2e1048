// Whole prompts of the `pi` profile.
import { afterEach, beforeEach, expect, test } from "vitest"
import { openPiFolder, type PiOptions, toolsNamed } from "./pi-folder.ts"

let here: ReturnType<typeof openPiFolder>
beforeEach(() => {
  here = openPiFolder()
})
afterEach(() => here.remove())

const documentation = {
  main: "/opt/pi/README.md",
  additional: "/opt/pi/docs",
  examples: "/opt/pi/examples",
}
const deploy = {
  name: "deploy",
  description: "Put the program on a server.",
  parameters: { type: "object" },
  promptSnippet: "Put the program\non a server",
  promptGuidelines: ["Ask before you deploy", "Be concise in your responses"],
}

test.each<[name: string, fixture: string | undefined, options: PiOptions]>([
  ["bare", undefined, {}],
  ["without-tools", undefined, { tools: [] }],
  ["all-tools", undefined, { tools: toolsNamed("ls", "find", "grep", "write", "edit", "bash", "read") }],
  [
    "documentation-and-extension",
    undefined,
    { tools: [...toolsNamed("read", "bash", "edit"), deploy], session: { inputs: { documentation } } },
  ],
  ["whole-project", "project", { session: { inputs: { documentation } } }],
  ["whole-project-for-a-stranger", "project", { session: { channel: "telegram:1" } }],
  ["own-system-and-skills", "skills", {}],
])("%s", async (name, fixture, options) => {
  if (fixture !== undefined) here.fill(fixture)
  await expect(here.text(options)).toMatchFileSnapshot(`../../golden/pi/${name}.txt`)
})
