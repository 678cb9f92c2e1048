// How a sender's trust came about is in the record: their own, what the situation allows, and what comes of both.
import { expect, test } from "vitest"
import { inRecord, open, workspace } from "../world/agent-world.ts"

const CONFIG = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
users: { alice: { trust: full }, bob: { trust: familiar, match: ["signal:bob"] } }
rooms: { "irc:pier": { trust: public } }
`

test("own trust, ceiling and the lesser of both", async () => {
  const root = workspace({ "incipit.yaml": CONFIG })
  const { agent } = await open(root, undefined)
  await agent.send("Hello.")
  await agent.send("Hello.", { as: "alice", situation: "group" })
  await agent.send("Hello.", { channel: "signal:bob" })
  await agent.send("Hello.", { channel: "signal:nobody" })
  await agent.send("Hello.", { channel: "irc:pier", sender: "irc:alice" })
  await agent.close()
  const rows = inRecord(root, (record) =>
    record.all("SELECT metadata FROM events WHERE event_type = 'trust_resolved' ORDER BY id"),
  )
  expect(rows.map(({ metadata }) => JSON.parse(String(metadata)))).toEqual([
    { user: "full", situation: "dm", effective: "full", ceiling: "full" },
    { user: "full", situation: "group", effective: "familiar", ceiling: "familiar" },
    { user: "familiar", situation: "dm", effective: "familiar", ceiling: "full" },
    { user: "public", situation: "dm", effective: "public", ceiling: "full" },
    { user: "public", situation: "group", effective: "public", ceiling: "familiar" },
  ])
})
