// `--tools agent`: what `build` shows is what a running agent is told.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { incipit } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-as-agent-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("the head of the stable text and the tools are those of the running agent", async () => {
  const workspace = join(folder, "lighthouse")
  cpSync("examples/lighthouse", workspace, { recursive: true, filter: (path) => !path.endsWith(".incipit") })
  const args = ["build", "--json", "--tools", "agent", "--workspace", workspace, "--cwd", workspace]
  // A folder of that name is no list of tools.
  mkdirSync(join(workspace, "agent"))
  const built = JSON.parse(incipit(args, { cwd: workspace }).stdout)
  const agent = await openAgent({
    workspace,
    env: {},
    home: join(folder, "home"),
    state: join(folder, "state"),
    timeZone: "UTC",
  })
  const prompt = await agent.preview("Is the lamp lit?")
  await agent.close()
  expect(built.tools.map(({ name }: { name: string }) => name)).toEqual(prompt.tools.map(({ name }) => name))
  expect(built.blocks[0].text).toBe(prompt.head[0]?.text)
})
