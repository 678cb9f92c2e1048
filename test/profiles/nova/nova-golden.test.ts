// Whole prompts of the sample bakery, for each kind of agent and audience. Reviewed as prose.
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { nova } from "../../../src/profiles/nova/nova.ts"
import { novaSystem } from "../../../src/sources/systems/nova.ts"
import { compileFolder, type FolderOptions } from "../compile-folder.ts"

const ROOT = resolve("test/fixtures/nova")
const HOME = resolve("test/fixtures")
const tools = nova.tools ?? []

const CASES: Readonly<Record<string, Omit<FolderOptions, "profile" | "system" | "root">>> = {
  "everything-at-once": {
    agent: "nova",
    tools,
    session: { channel: "telegram", as: "ilse", task: "7", background: true },
  },
  "terminal-without-tools": { agent: "nova" },
  "background-without-tools": { agent: "nova", session: { background: true } },
  "sandbox-agent": { agent: "scribe" },
  "legacy-role": { agent: "old-hand" },
  "no-identity": { agent: "hermit" },
  "task-without-steps": { agent: "scribe", session: { task: "8" } },
  "friend-in-a-group": { agent: "nova", session: { situation: "group", task: "7" } },
  "stranger-on-telegram": { agent: "nova", session: { channel: "telegram:42", task: "7" } },
  "fed-by-a-running-agent": {
    agent: "scribe",
    session: { task: "7", inputs: { memories: ["The oven is hot."] } },
    turn: { inputs: { tasks: [{ id: 7, title: "Plan", steps: [{ title: "Eat", done: true }] }] } },
  },
}

test.each(Object.entries(CASES))("%s", async (name, options) => {
  const prompt = compileFolder({
    profile: nova,
    system: novaSystem,
    root: ROOT,
    home: HOME,
    ...options,
    turn: { timeZone: "Europe/Helsinki", ...options.turn },
  })
  const text = prompt.text.replaceAll(ROOT, "/home/ilse/nova").replaceAll(HOME, "/home/ilse")
  await expect(text).toMatchFileSnapshot(join("..", "..", "golden", "nova", `${name}.txt`))
})
