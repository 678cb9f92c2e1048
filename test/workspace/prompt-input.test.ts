// Gathering a prompt looks at the folder once. What changes afterwards counts from the next prompt on, although the
// workspace is the same object.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openWorkspace } from "../../src/sources/workspace.ts"
import { profiled } from "../../src/workspace/profile/profiled.ts"
import { promptInput } from "../../src/workspace/prompt-input.ts"

async function start(files: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-look-")))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  const workspace = openWorkspace(root, { env: {}, state: join(root, "state") })
  const folder = await profiled(workspace, { directory: root })
  const gathered = async () => {
    const input = promptInput({
      folder,
      session: { as: "bob", directory: root },
      ...{ tools: [], toolFormat: "native", approved: new Set<string>() },
    })
    // For a caller that goes on before it waits.
    const { agent, session } = await input
    return [...agent.files, ...session.files].map(({ path, trust, text }) => {
      return `${path.replace(`${root}/`, "")} ${trust}: ${text.trim()}`
    })
  }
  return { root, write, gathered }
}

test("an edit, a new file and a new link between two prompts count for the second", async () => {
  const { root, write, gathered } = await start({
    "incipit.yaml": "users:\n  bob: { trust: familiar }\n",
    "AGENTS.md": "@docs/plan.md\n",
    "SOUL.md": "Calm.\n",
    "docs/plan.md": "Soon.\n",
  })
  const before = [
    "SOUL.md familiar: Calm.",
    "AGENTS.md familiar: @docs/plan.md",
    "docs/plan.md familiar: Soon.",
  ]
  expect(await gathered()).toEqual(before)
  write("SOUL.md", "Firm.\n")
  write("IDENTITY.md", "A keeper.\n")
  // The target of a link among people's files is theirs: no longer project context for anybody.
  mkdirSync(join(root, "users", "ada"), { recursive: true })
  symlinkSync(join(root, "docs", "plan.md"), join(root, "users", "ada", "plan.md"))
  expect(await gathered()).toEqual([
    "IDENTITY.md familiar: A keeper.",
    "SOUL.md familiar: Firm.",
    "AGENTS.md familiar: @docs/plan.md",
  ])
})

test("what changes right after the call counts from the next prompt on", async () => {
  const { write, gathered } = await start({ "AGENTS.md": "One.\n" })
  const first = gathered()
  write("AGENTS.md", "Another.\n")
  expect([await first, await gathered()]).toEqual([
    ["AGENTS.md familiar: One."],
    ["AGENTS.md familiar: Another."],
  ])
})
