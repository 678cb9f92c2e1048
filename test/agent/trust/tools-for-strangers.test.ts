// Strangers are shown no tool that could only tell them that there is nothing.
import { expect, test } from "vitest"
import { open, say, server, workspace } from "../world/agent-world.ts"

const CONFIG = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
users: { bob: { trust: familiar } }
`

async function shownTo(config: string, from: { readonly as?: string; readonly channel?: string }) {
  const server_ = await server([say("Hello.")])
  const { agent } = await open(workspace({ "incipit.yaml": config }), server_)
  await agent.send("Hi.", from)
  const body = JSON.parse(server_.bodies.at(-1) ?? "{}")
  return (body.tools ?? []).map(({ name }: { readonly name: string }) => name)
}

const STRANGER = { channel: "signal:nobody" }
const MEMORY = ["memory_search", "memory_get", "memory_write"]

test("a stranger has no tools where nothing is for strangers", async () => {
  expect(await shownTo(CONFIG, STRANGER)).toEqual([])
})

test("a store of memory that is open to strangers comes with its tools", async () => {
  const open = `${CONFIG}memory: { stores: { pier: public } }\n`
  expect((await shownTo(open, STRANGER)).toSorted()).toEqual(MEMORY.toSorted())
})

test("whoever is known has them all", async () => {
  const shown = await shownTo(CONFIG, { as: "bob" })
  expect(shown).toEqual(expect.arrayContaining([...MEMORY, "incipit_status", "incipit_trace"]))
})
