// Whole prompts of the `moltis` profile, to be read as prose.
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { fill, type MoltisFolder, type MoltisOptions, openMoltis, toolsNamed } from "./moltis-folder.ts"

const CONFIG = `model: openai/gpt-5
environment:
  host: moltis-devbox
  os: macos
  arch: arm64
  shell: zsh
  sudo_non_interactive: true
users:
  ada: { trust: full }
  cy: { trust: familiar }
`

const SANDBOX = {
  ...{ mode: "on", backend: "docker", scope: "session", image: "moltis-sandbox:abc123" },
  ...{ workspace: "read-only", network: "off" },
}

let here: MoltisFolder
beforeEach(() => {
  here = openMoltis()
})
afterEach(() => here.remove())

const ALL = toolsNamed("exec", "browser", "memory_search")

const CASES: Readonly<Record<string, MoltisOptions>> = {
  "owner-with-tools": { tools: ALL, session: { as: "ada" } },
  "owner-without-tools": { session: { as: "ada" } },
  "fallback-tools": { tools: ALL, toolFormat: "fallback", session: { as: "ada" } },
  minimal: { tools: ALL, session: { as: "ada", mode: "minimal" } },
  subagent: { tools: ALL, session: { as: "ada", mode: "subagent" } },
  friend: { tools: ALL, session: { as: "cy" } },
  stranger: { tools: ALL, session: { channel: "telegram:1" } },
}

test.each(Object.entries(CASES))("a full folder: %s", async (name, options) => {
  fill(here)
  here.write("workspace/incipit.yaml", CONFIG)
  const directory = join(here.root, "app")
  const session = { directory, env: {}, timeZone: "Europe/Paris", ...options.session }
  await expect(here.text({ ...options, session, sandbox: SANDBOX })).toMatchFileSnapshot(golden(name))
})

test("an identity without a soul, tools without a sandbox, no project", async () => {
  here.write("home/.moltis/IDENTITY.md", "---\nname: Rex\n---\n")
  here.write("workspace/incipit.yaml", CONFIG.replace(/^ {2}sudo.*\n/gm, ""))
  const options = { tools: toolsNamed("exec"), session: { as: "ada", env: {} } }
  await expect(here.text(options)).toMatchFileSnapshot(golden("default-soul"))
})

test("an empty folder", async () => {
  await expect(here.text({ tools: toolsNamed("exec") })).toMatchFileSnapshot(golden("empty-folder"))
})

function golden(name: string): string {
  return join(process.cwd(), "test", "golden", "moltis", `${name}.txt`)
}
