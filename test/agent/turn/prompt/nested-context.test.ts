// Instructions of the folders that the agent touches: named by their path, told whole while there is room, and not told
// to a model that has just read or written them itself.
import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { call, open, say, server, tool, workspace, write } from "../../world/agent-world.ts"
import type { Json } from "../../world/servers/refusals.ts"

const LAMPS = "Lamps are counted from the left.\n\nA lamp is never moved.\n"
const PROJECT = {
  "project/AGENTS.md": "Projects are written in English.\n",
  "project/lamps/AGENTS.md": LAMPS,
  "project/lamps/oil.txt": "Ten barrels.\n",
}

/** The texts of the tails, in order. */
function tailsIn(body: string | undefined): readonly string[] {
  const { messages }: Json = JSON.parse(body ?? "{}")
  const parts: readonly { text?: string }[] = messages.flatMap(({ content }: Json) => content)
  return parts.flatMap(({ text = "" }) => (text.startsWith("<turn-context>") ? [text] : []))
}

const directoryOf = (root: string) => join(realpathSync(root), "project")

test("context of a folder is sent under its path from the working directory", async () => {
  const root = workspace(PROJECT)
  const from = await server([call(["read", { path: "lamps/oil.txt" }]), say("Ten barrels.")])
  const { agent } = await open(root, from, { directory: directoryOf(root) })
  await agent.send("What is there?")
  const [, told = ""] = tailsIn(from.bodies[1])
  expect(told).toContain(`<context path="lamps/AGENTS.md">\n${LAMPS.trim()}\n</context>\n`)
  expect(told).not.toContain(realpathSync(root))
})

test("a file that the model has just read is not sent again, until it changes", async () => {
  const root = workspace(PROJECT)
  const from = await server([
    call(["read", { path: "lamps/AGENTS.md" }]),
    call(["read", { path: "lamps/oil.txt" }]),
    say("Ten barrels."),
    call(["turn", {}]),
    say("Turned."),
    say("As I said."),
  ])
  const turn = tool("turn", async () => {
    write(root, "project/lamps/AGENTS.md", "Lamps are counted from the right.\n")
    return "turned"
  })
  const { agent } = await open(root, from, { directory: directoryOf(root), tools: [turn] })
  await agent.send("What is there?")
  expect(tailsIn(from.bodies[2]).join("")).not.toContain("lamps")
  await agent.send("Turn them.")
  await agent.send("And now?")
  const tails = tailsIn(from.bodies.at(-1))
  expect(tails.join("")).toContain(
    '<context path="lamps/AGENTS.md">\nLamps are counted from the right.\n</context>',
  )
  expect(tails.join("")).not.toContain("from the left")
})

test("a file of which the model has read a part is sent", async () => {
  const root = workspace(PROJECT)
  const from = await server([call(["read", { path: "lamps/AGENTS.md", lines: 2 }]), say("From the left.")])
  const { agent } = await open(root, from, { directory: directoryOf(root) })
  await agent.send("What is there?")
  expect(tailsIn(from.bodies[1]).join("")).toContain("A lamp is never moved.")
})

test("a file that the model has just written is not sent again", async () => {
  const root = workspace({ ...PROJECT, "project/wicks/one.txt": "A wick.\n" })
  const text = "Wicks are trimmed at dusk.\nNever at noon.\n"
  const from = await server([call(["write", { path: "wicks/AGENTS.md", text }]), say("Written.")])
  const { agent } = await open(root, from, { directory: directoryOf(root) })
  await agent.send("Write it down.")
  expect(readFileSync(join(root, "project/wicks/AGENTS.md"), "utf8")).toBe(text)
  expect(tailsIn(from.bodies[1]).join("")).not.toContain("Never at noon")
})

test("rules do not crowd each other out while the window has room", async () => {
  const folders = ["a", "b", "c", "d"]
  const rule = (name: string) =>
    `${`Rule of ${name}: keep the lamp lit and the log dry.\n`.repeat(200)}End of ${name}.\n`
  const files = folders.flatMap((name) => [
    [`project/${name}/AGENTS.md`, rule(name)],
    [`project/${name}/x.txt`, "x\n"],
  ])
  const root = workspace({ ...PROJECT, ...Object.fromEntries(files) })
  const from = await server([
    call(...folders.map((name): [string, Json] => ["read", { path: `${name}/x.txt` }])),
    say("Read."),
  ])
  const { agent } = await open(root, from, { directory: directoryOf(root) })
  await agent.send("Read them.")
  const told = tailsIn(from.bodies[1]).join("")
  for (const name of folders) expect(told).toContain(`End of ${name}.\n</context>`)
  expect(told).not.toContain("left out")
})

test("a preview of the next message says nothing of context that was sent and holds", async () => {
  const root = workspace(PROJECT)
  const from = await server([call(["read", { path: "lamps/oil.txt" }]), say("Ten barrels.")])
  const { agent } = await open(root, from, { directory: directoryOf(root) })
  await agent.send("What is there?")
  const prompt = await agent.preview("And now?")
  expect(prompt.tail?.text).not.toMatch(/lamps|no longer applies/)
})

test("paths that would be written alike are told apart", async () => {
  const root = workspace({
    ...PROJECT,
    "project/a.b/AGENTS.md": "With a dot.\n",
    "project/a.b/x.txt": "x\n",
    "project/a-b/AGENTS.md": "With a dash.\n",
    "project/a-b/x.txt": "x\n",
  })
  const from = await server([
    call(["read", { path: "a.b/x.txt" }], ["read", { path: "a-b/x.txt" }]),
    say("Read."),
  ])
  const { agent } = await open(root, from, { directory: directoryOf(root) })
  await agent.send("Read them.")
  const told = tailsIn(from.bodies[1]).join("")
  expect(told).toContain('<context path="a.b/AGENTS.md">\nWith a dot.\n</context>')
  expect(told).toContain('<context path="a-b/AGENTS.md">\nWith a dash.\n</context>')
})
