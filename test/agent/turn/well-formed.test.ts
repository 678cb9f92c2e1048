// Text that ends in the middle of a character, on every road into a request: no provider refuses a conversation for it,
// now or later.
import { expect, onTestFinished, test } from "vitest"
import { inStore, open, refuse, say, server, startAgent, workspace } from "../world/agent-world.ts"
import { PROTOCOL_NAMES } from "../world/ask-model.ts"
import { asksForSummary } from "../world/asks-for-summary.ts"

const HALF = "\ud83d"
const FILES = { "incipit.yaml": "profile: incipit\nfeeds: { communication: off, bulletin: off }\n" }

test.each(PROTOCOL_NAMES)("%s takes what people, tools, hooks and the model itself say", async (protocol) => {
  const parts = [
    [{ text: `Let me ${HALF}.` }, { call: { name: "cut", input: { text: HALF, [HALF]: 1 } } }],
    [{ text: `So ${HALF}.` }],
    [{ text: "Yes." }],
  ]
  const local = await startAgent({
    protocol,
    files: FILES,
    answer: ({ calls }) => parts[calls - 1] ?? [],
    hooks: [
      {
        name: "weather",
        before_agent_start: () => ({
          edits: [{ kind: "add", section: { id: "weather", content: `Gale ${HALF}.` } }],
          messages: [{ text: `The barometer ${HALF}.` }],
        }),
      },
    ],
    tools: [
      {
        name: "cut",
        description: `Cuts ${HALF}.`,
        parameters: { type: "object", properties: { text: { type: "string", description: HALF } } },
        run: async () => `Cut ${HALF}.`,
      },
    ],
  })
  onTestFinished(() => local.close())
  const states = [(await local.send(`Ask ${HALF}.`)).state, (await local.send("And?")).state]
  expect([states, local.server.refusals]).toEqual([["answered", "answered"], []])
  for (const text of [
    "Gale \ufffd",
    "barometer \ufffd",
    "Ask \ufffd",
    "Cut \ufffd",
    "Cuts \ufffd",
    "Let me \ufffd",
  ])
    expect(local.server.bodies.at(-1)).toContain(text)
})

/** Each place where a summary may be cut falls into an emoji, whichever way the text is counted. */
const SPOKEN = [0, 1, 2, 3].map((at) => `${"a".repeat(at)}${"👩‍🚀".repeat(900)}`)

test.each([
  ["a model sums up", say("Goal: the lamp.")],
  ["no model sums up", refuse(400)],
])("a conversation of emoji that %s continues", async (_how, summary) => {
  const root = workspace()
  const from = await server(({ body }) => (asksForSummary(body) ? summary : say("Yes. 👩‍🚀")))
  const { agent } = await open(root, from)
  let session = ""
  for (const text of SPOKEN) session = (await agent.send(text)).session
  await agent.compact(session)
  const { state } = await agent.send("And now?")
  expect([state, from.refusals]).toEqual(["answered", []])
  await agent.close()
  const [row] = inStore(root, (store) => store.all("SELECT item FROM items WHERE is_past = 0 ORDER BY id"))
  const { text } = JSON.parse(String(row?.item))
  expect(text.isWellFormed()).toBe(true)
  // Cut between two astronauts, not within one.
  expect(text).not.toMatch(/\u200d(?!🚀)|👩(?!\u200d)/u)
})
