// Two people and a room with one agent: what each of them is told, and that the room hears nothing of what was said in
// private. `node examples/programs/two-people-and-a-group.ts` needs no key.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { visible } from "incipit"
import { offlineModel, openAgent } from "incipit/agent"

const workspace = mkdtempSync(join(tmpdir(), "harbour-"))
for (const [path, text] of Object.entries({
  "incipit.yaml": `
users:
  alice: { trust: inner, match: ["telegram:1"] }
  bob: { trust: inner, match: ["telegram:2"] }
rooms: { "telegram:-100": { trust: familiar } }
`,
  "IDENTITY.md": "---\nname: Otto\n---\nYou keep the harbour's book.\n",
  "AGENTS.md": "Say how deep the water is whenever a boat is spoken of.\n",
  "users/alice/USER.md": "Alice owns the Margareta.\n",
  "users/bob/USER.md": "Bob owns the crane.\n",
})) {
  mkdirSync(dirname(join(workspace, path)), { recursive: true })
  writeFileSync(join(workspace, path), text)
}

const PEOPLE = {
  alice: { as: "alice", channel: "telegram:1" },
  bob: { as: "bob", channel: "telegram:2" },
  "alice in the room": { as: "alice", channel: "telegram:-100" },
  "bob in the room": { as: "bob", channel: "telegram:-100" },
} as const

const now = () => Date.UTC(2026, 5, 15, 9)
const agent = await openAgent({ workspace, model: offlineModel(), now, timeZone: "UTC" })
const said = async (name: keyof typeof PEOPLE, message: string) => {
  const { text } = await agent.send(message, PEOPLE[name])
  console.log(`${name}: ${message}\n  ${text.split("\n\n").at(-1)?.replaceAll("\n", "\n  ")}`)
}

// Memory belongs to a trust, tasks belong to a person: Bob hears of the key, but not of the tasks; the room of neither.
await said("alice", "Remember that the spare key of the Margareta is under the third step")
await said("alice", "Plan tasks: paint the hull, sell the engine")
for (const name of ["alice", "bob", "alice in the room", "bob in the room"] as const) {
  await said(name, "What do you know about the spare key?")
  await said(name, "What are my tasks?")
}

console.log("\nWhat each is told of the workspace:")
for (const [name, from] of Object.entries(PEOPLE)) {
  const { plan } = await agent.preview("Good morning", from)
  const files = visible(plan).entries.flatMap(({ spans }) =>
    spans.flatMap(({ from: source }) => (source !== undefined && "path" in source ? [source.path] : [])),
  )
  console.log(
    `  ${name}, ${plan.audience.trust} in ${plan.audience.situation}: ${[...new Set(files)].join(", ")}`,
  )
}
await agent.close()
rmSync(workspace, { recursive: true })
