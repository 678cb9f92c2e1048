// What came later than the gate and asks it too: prompts that hooks bring, and updates that tell a change by its lines.
import { linkSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { open, say, server, workspace } from "../agent/world/agent-world.ts"
import { CONFIG, heard, PEOPLE, pry, read } from "./prying.ts"

test("a prompt that a hook brings is called only by who may see its file, by whatever name", async () => {
  const root = workspace({
    "incipit.yaml": CONFIG,
    "p/open.md": "Open $1",
    "p/closed.md": "---\ntrust: full\n---\nClosed",
    "p/broken.md": "---\ntrust: [\n---\nBroken",
    "p/group.md": "---\nsituations: group\n---\nGroup",
    "memory/private/a.md": "Private",
  })
  linkSync(join(root, "memory/private/a.md"), join(root, "p/hard.md"))
  symlinkSync("../memory/private/a.md", join(root, "p/soft.md"))
  symlinkSync("../memory/private", join(root, "p/folder"))
  const hooks = [{ name: "prompts", resources_discover: () => ({ promptFolders: ["p"] }) }]
  const { agent } = await open(root, await server([say("Yes.")]), { hooks })
  const names = ["open", "closed", "broken", "group", "hard", "soft", "folder:a"]
  const called = (who: keyof typeof PEOPLE) =>
    names.flatMap((name) => agent.promptText(name, "it", PEOPLE[who])?.split("\n")[0] ?? [])
  expect(agent.prompts(PEOPLE.bob).map(({ name }) => name)).toEqual(["open"])
  expect(called("bob")).toEqual(["Open it"])
  expect(called("ada")).toEqual(["Open it", "Closed", "Broken", "Private"])
})

const CLOSED: Readonly<Record<string, string>> = {
  "rules/b.md": "---\ntrust: full\n---\nRule b.\n",
  "skills/y/SKILL.md": "---\nname: y\ndescription: Y.\ntrust: full\n---\nbody\n",
  ".claude/commands/c.md": "---\ntrust: full\n---\nCommand c.\n",
  ".claude/CLAUDE.md": "---\ntrust: inner\n---\nClaude.\n",
  ".claude/rules/r.md": "---\ntrust: inner\n---\nRule r.\n",
  ".claude/rules/p.md": "---\ntrust: inner\npaths: sub/**\n---\nRule p.\n",
  "memory/private/m.md": "- A fact.\n",
  "users/ada/USER.md": "Ada.\n",
}

test("a change of what somebody may not see changes no byte of what is sent for them", async () => {
  const runs = [false, true].map(async (isChanged) => {
    const { local, ask } = await pry({ ...CLOSED, "AGENTS.md": "One.\nTwo.\n", "sub/notes.md": "Notes.\n" })
    onTestFinished(local.close)
    await ask(PEOPLE.bob, [read("sub/notes.md")])
    if (isChanged)
      for (const [path, text] of Object.entries(CLOSED)) local.write(path, `${text}\nchanged-zq ${path}\n`)
    local.write("AGENTS.md", "One.\nTwo, changed.\n")
    const sent = await ask(PEOPLE.bob, [read("sub/notes.md"), { tool: "grep", input: { pattern: "zq" } }])
    expect(heard(sent, ["Two, changed."])).toHaveLength(1)
    // The id of the session is made by chance.
    return sent.replaceAll(local.folder, "").replaceAll(/\b01[0-9a-z]{18}\b/g, "")
  })
  const [before, after] = await Promise.all(runs)
  expect(heard(after ?? "", ["changed-zq"])).toEqual([])
  expect(after === before).toBe(true)
})

test("of a file that becomes closed, nothing of its new text is sent", async () => {
  const { local, ask } = await pry({ "AGENTS.md": "One.\nTwo.\n", "rules/a.md": "Rule a.\n" })
  onTestFinished(local.close)
  await ask(PEOPLE.bob, [])
  local.write("AGENTS.md", "---\ntrust: full\n---\nOne.\nnew-zq\n")
  local.write("rules/a.md", "---\ntrust: full\n---\nRule a.\nnew-zq\n")
  expect(heard(await ask(PEOPLE.bob, []), ["new-zq"])).toEqual([])
})
