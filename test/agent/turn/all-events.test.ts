// Every kind of event that the record knows happens in the life of an agent.
import { expect, test } from "vitest"
import { EVENT_TYPES } from "../../../src/base/event-types.ts"
import { call, eventTypes, open, refuse, say, server, workspace, write } from "../world/agent-world.ts"
import type { Script } from "../world/servers/script.ts"

const CONFIG = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
memory: { stores: { private: full } }
schedule: [ { cron: "* * * * *", run: "Look at the lamp." } ]
`

test("every kind of event", async () => {
  const root = workspace({ "incipit.yaml": CONFIG, "MEMORY.md": "The code of the door is 4711.\n" })
  const scripts: readonly Script[] = [
    refuse(500),
    call(
      ["memory_search", { query: "door" }],
      ["memory_write", { store: "private", text: "The lamp burns oil." }],
      ["read", { path: "nowhere.txt" }],
    ),
    say("Done."),
  ]
  const from = await server(({ body, calls }) =>
    body.tools ? (scripts[calls - 1] ?? say("Yes.")) : say("Facts."),
  )
  let since = Date.now()
  // From a moment before a full minute on.
  const now = () => Date.UTC(2026, 5, 15, 2, 46, 59, 500) + (Date.now() - since)
  const broken = { name: "broken-hook", turn_end: () => Promise.reject(new Error("no")) }
  const { agent } = await open(root, from, { now, wait: async () => {}, hooks: [broken] })
  const { session } = await agent.send("Remember the lamp.")
  write(root, "SOUL.md", "You keep the light of a large island.\n")
  await agent.setActiveTools(session, ["read"])
  await agent.send("And now?")
  write(root, "SOUL.md", "You keep the light of the largest island.\n")
  write(root, "incipit.yaml", `${CONFIG}no_such_key: 1\n`)
  await agent.send("Still there?", { deliver: () => Promise.reject(new Error("no line")) }).catch(() => {})
  await agent.compact(session)
  const fired = Promise.withResolvers<void>()
  since = Date.now()
  const kept = agent.keepSchedule({ fired: () => fired.resolve() })
  await fired.promise
  await kept.stop()
  await agent.close()
  // The server's own: test/serve/http/server.test.ts.
  const types = new Set([...eventTypes(root), "request_answered"])
  expect(Object.keys(EVENT_TYPES).filter((type) => !types.has(type))).toEqual([])
})
