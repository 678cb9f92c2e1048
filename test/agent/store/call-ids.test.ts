// Ids of calls: a provider may use them again or write them in a form that others refuse. The transcript has ids of our
// own, and each provider gets what it takes.
import { join } from "node:path"
import { expect, test } from "vitest"
import { wireMessages } from "../../../src/agent/models/wire-messages.ts"
import type { Message, MessagePart } from "../../../src/core/model/message.ts"
import type { Item } from "../../../src/database/contract/transcripts.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { inStore, open, tool, workspace } from "../world/agent-world.ts"
import { allServers } from "../world/all-providers.ts"
import { MODELS, PROTOCOL_NAMES } from "../world/ask-model.ts"
import type { Part } from "../world/servers/script.ts"

const ODD_IDS = ["call_0", "call_0", "functions.tide:0", "functions.tide:0", "a b", "x".repeat(80), "é"]

test("odd and repeated ids of one provider are taken by every other", async () => {
  const root = workspace()
  const at = new Map<string, number>()
  const servers = await allServers(({ protocol }): readonly Part[] => {
    const step = at.get(protocol) ?? 0
    at.set(protocol, step + 1)
    const id = ODD_IDS[step % ODD_IDS.length] ?? ""
    if (step % 3 === 2) return [{ text: `${protocol} is done.` }]
    return [{ call: { name: "tide", input: {}, id } }, { call: { name: "tide", input: {}, id } }]
  })
  const { agent } = await open(root, servers, {
    model: MODELS["openai-chat"],
    tools: [tool("tide", async () => "High.")],
  })
  for (const protocol of [...PROTOCOL_NAMES, ...PROTOCOL_NAMES.toReversed(), ...PROTOCOL_NAMES]) {
    await agent.useModel(MODELS[protocol])
    expect(await agent.send("And now?")).toMatchObject({ state: "answered", text: `${protocol} is done.` })
  }
  expect(servers.refusals()).toEqual([])
})

test("a model gets its own ids back, as long as they are used once", async () => {
  const root = workspace()
  const ids = ["functions.tide:0", "functions.tide:1", "functions.tide:0"]
  let step = 0
  const servers = await allServers((): readonly Part[] => {
    const id = ids[step]
    step += 1
    return id === undefined ? [{ text: "Done." }] : [{ call: { name: "tide", input: {}, id } }]
  })
  const { agent } = await open(root, servers, {
    model: MODELS["openai-chat"],
    tools: [tool("tide", async () => "High.")],
  })
  await agent.send("Look.")
  const calls = (body: string) =>
    JSON.parse(body).messages.flatMap(({ tool_calls = [] }: { tool_calls?: { id: string }[] }) =>
      tool_calls.map(({ id }) => id),
    )
  const bodies = servers.bodies("openai-chat").map(calls)
  expect(bodies.at(-1)).toEqual([
    "functions.tide:0",
    "functions.tide:1",
    expect.stringMatching(/^[a-z0-9]{9}$/),
  ])
  // What was sent once keeps its bytes.
  expect(bodies.map((sent) => bodies.at(-1).slice(0, sent.length))).toEqual(bodies)
  const stored = inStore(root, (store) => store.all("SELECT item FROM items WHERE item LIKE '%tool-call%'"))
  const own = stored.flatMap(({ item }) =>
    JSON.parse(String(item)).message.parts.map(({ id }: { id: string }) => id),
  )
  expect(new Set(own).size).toBe(3)
  expect(own.every((id) => /^[a-z0-9]{9}$/.test(id))).toBe(true)
})

test("a session of an earlier version, with the provider's ids in it, continues with any provider", async () => {
  const root = workspace()
  const servers = await allServers((): readonly Part[] => [{ text: "Yes." }])
  const { agent } = await open(root, servers, { model: MODELS["openai-chat"] })
  const { session } = await agent.send("Hi.")
  await agent.close()
  const store = await openStore(join(root, ".incipit", "agent.db"))
  const item = (role: Message["role"], ...parts: readonly MessagePart[]): Item => ({
    kind: "message",
    message: { role, parts },
  })
  const call = (id: string, name: string): MessagePart => ({
    kind: "tool-call",
    id,
    name,
    input: "{not json",
  })
  const result = (id: string, text: string): MessagePart => ({ kind: "tool-result", id, text })
  for (const one of [
    item("user", { kind: "text", text: "Look." }),
    item("assistant", call("call_0", "first"), call("call_0", "second.one")),
    item("user", result("call_0", "one"), result("call_0", "")),
    item("assistant", call("call_0", "third"), call("functions.x:1", "fourth")),
    // Its turn was given up in the middle.
    item("user", { kind: "text", text: "Still there?" }),
    item("assistant", call("call_0", "fifth")),
  ])
    await store.transcripts.add(session, one)
  await store.close()
  const again = await open(root, servers, { model: MODELS.anthropic })
  for (const protocol of PROTOCOL_NAMES) {
    await again.agent.useModel(MODELS[protocol])
    expect(await again.agent.send("And?", { session })).toMatchObject({ state: "answered" })
  }
  expect(servers.refusals()).toEqual([])
})

test("what is fine is sent as it is, and what is made is made once", () => {
  const model = { id: "anthropic/x", callIds: /^[a-z0-9]+$/ }
  const plain: readonly Message[] = [
    { role: "user", parts: [{ kind: "text", text: "Hi." }] },
    { role: "assistant", parts: [{ kind: "text", text: "Hello." }] },
    { role: "user", parts: [{ kind: "text", text: "And?" }] },
  ]
  expect(wireMessages(plain, model).messages.every((message, at) => message === plain[at])).toBe(true)
  const calling: readonly Message[] = [
    ...plain,
    { role: "assistant", parts: [{ kind: "tool-call", id: "a1", name: "x", input: {} }] },
    { role: "user", parts: [{ kind: "tool-result", id: "a1", text: "y" }] },
  ]
  const cache = new WeakMap()
  const [once, twice] = [1, 2].map(() => wireMessages(calling, model, cache).messages)
  expect(once).toEqual(calling)
  expect(twice?.every((message, at) => message === once?.[at])).toBe(true)
})
