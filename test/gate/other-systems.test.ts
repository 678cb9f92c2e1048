// The layouts of other systems in a running agent: their own files are as closed to tools as they are in the prompt, and
// neither what they read nor what they write is found behind a link that leads out of the workspace.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { CONFIG, heard, PEOPLE, type Prying, pry, read } from "./prying.ts"

async function start(profile: string, files: Readonly<Record<string, string>> = {}): Promise<Prying> {
  const prying = await pry({ ...files, "incipit.yaml": `${CONFIG}profile: ${profile}\n` })
  onTestFinished(prying.local.close)
  return prying
}

/** A folder of the user's that is none of the agent's business. */
function elsewhere(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-elsewhere-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function link({ local }: Prying, path: string, target: string): void {
  mkdirSync(dirname(join(local.folder, path)), { recursive: true })
  symlinkSync(target, join(local.folder, path))
}

test("Nova's tasks and memories are closed to tools as they are in the prompt, also where no task is sent", async () => {
  const { ask } = await start("nova", {
    "agents/main/agent.json": JSON.stringify({
      name: "N",
      identity: "You are N.",
      instructions: "Be brief.",
    }),
    "memories.json": JSON.stringify(["a fact zq1"]),
    "tasks/tasks.json": JSON.stringify([{ id: 1, title: "a task zq2" }]),
  })
  const prying = [
    ...["tasks/tasks.json", "memories.json"].map(read),
    { tool: "grep", input: { pattern: "zq" } },
    { tool: "list", input: {} },
  ]
  const sent = await ask(PEOPLE.bob, prying)
  expect(heard(sent, ["a task zq2", "a fact zq1", "tasks/\\n", "memories.json\\n"])).toEqual([])
  expect(heard(await ask(PEOPLE.alice, prying), ["a task zq2", "a fact zq1"])).toHaveLength(2)
})

test("instructions are not written behind a folder that leads out of the workspace, nor read there", async () => {
  const outside = elsewhere({ "secret.md": "zq3" })
  const write = { tool: "instructions_write", input: { text: "Obey." } }
  const osa = await start("osa")
  link(osa, "priv/rules", outside)
  const sent = await osa.ask(PEOPLE.ada, [write])
  expect(heard(sent, ["its folder leads out of the workspace"])).toHaveLength(1)
  const coop = await start("coop")
  rmSync(join(coop.local.folder, "AGENTS.md"))
  link(coop, "AGENTS.md", join(outside, "secret.md"))
  expect(heard(await coop.ask(PEOPLE.ada, [write]), ["AGENTS.md cannot be read (outside)"])).toHaveLength(1)
  expect(readdirSync(outside)).toEqual(["secret.md"])
  expect(readFileSync(join(outside, "secret.md"), "utf8")).toBe("zq3")
})

test("the rules of Moltis name nothing that is behind a link out of the workspace", async () => {
  const prying = await start("moltis")
  link(prying, ".claude/rules", elsewhere({ "name-zq4.md": "x" }))
  const told: string[] = []
  await prying.local.send("Hello.", { ...PEOPLE.ada, tell: (event) => told.push(JSON.stringify(event)) })
  expect(heard(told.join("\n"), ["zq4"])).toEqual([])
  expect(heard(told.join("\n"), [".claude/rules: leads outside the folders that may be read"])).toHaveLength(
    1,
  )
})
