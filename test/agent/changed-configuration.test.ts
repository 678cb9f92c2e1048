// What an agent that is open makes of a configuration that changes.
import { expect, test } from "vitest"
import { call, open, say, server, transcript, workspace, write } from "./fault-world.ts"

test("a store that needs more trust is closed with the next message", async () => {
  const users = "profile: incipit\nusers: { bob: { trust: familiar } }\n"
  const root = workspace({ "incipit.yaml": users, "memory/social/x.md": "# X\n\n- The zebra sleeps.\n" })
  const search = call(["memory_search", { query: "zebra" }])
  const from = await server([search, say("found"), search, say("nothing")])
  const { agent } = await open(root, from)
  const { session } = await agent.send("search", { as: "bob" })
  write(root, "incipit.yaml", `${users}memory: { stores: { private: full, shared: inner, social: full } }\n`)
  await agent.send("search again", { as: "bob" })
  const results = transcript(root, session).filter((line) => line.startsWith("result: "))
  expect(results.map((line) => line.includes("The zebra sleeps."))).toEqual([true, false])
})
