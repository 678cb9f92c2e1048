// What people who are not fully trusted are told of a failure: a sentence of ours, and nothing of what a provider, a
// server, a tool or a database says. The record has all of it.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { AgentOptions } from "../../../src/agent/setup/agent.ts"
import type { LiveEvent } from "../../../src/agent/turn/live-event.ts"
import { ToolFailure } from "../../../src/tools/host.ts"
import { call, clock, inRecord, open, say, server, tool, workspace, write } from "../world/agent-world.ts"
import type { Script } from "../world/servers/script.ts"

const CONFIG =
  "profile: incipit\nfeeds: { communication: off }\nenvironment: { host: off }\nusers: { bob: { trust: public }, eve: { trust: inner } }\n"
/** Words that only the provider says. */
const INTERNAL = "organization org-4711 on https://internal.provider.test/v1 with model claude-sonnet-5-5"

function failing(status: number, headers: Readonly<Record<string, string>> = {}): Script {
  return { kind: "error", status, headers, body: { type: "error", error: { type: "x", message: INTERNAL } } }
}

async function world(scripts: readonly Script[], options: Partial<AgentOptions> = {}) {
  const root = workspace({ "incipit.yaml": CONFIG })
  const { agent, late } = await open(root, await server(scripts), { wait: clock().wait, ...options })
  const told: LiveEvent[] = []
  const tell = (event: LiveEvent) => told.push(event)
  return { root, agent, late, told, tell }
}

/** As JSON, without what depends on the time that it took. */
function timeless(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"(?:durationMs|notBefore|turn|session)":"?\w+"?/g, "")
}

const PEOPLE = ["bob", "eve", "a stranger"]

test.each([
  [400, "This message could not be answered. It is left out of the conversation from now on."],
  [401, "This message could not be answered."],
  [404, "This message could not be answered."],
  [
    413,
    "This conversation is too long for the model. Please start a new one. It is left out of the conversation from now on.",
  ],
  [429, "The model cannot be reached right now. Your message is kept and will be answered later."],
  [500, "The model cannot be reached right now. Your message is kept and will be answered later."],
  [529, "The model cannot be reached right now. Your message is kept and will be answered later."],
])("a provider's error %i", async (status, text) => {
  for (const as of PEOPLE) {
    const { root, agent, told, tell } = await world([failing(status)])
    const reply = await agent.send("Hi.", { as, channel: "telegram", tell })
    expect(reply.text).toBe(text)
    for (const words of ["org-4711", "internal.provider", String(status)])
      expect(timeless([told, { ...reply, prompt: undefined }])).not.toContain(words)
    await agent.close()
    const errors = inRecord(root, (record) =>
      record.all("SELECT error FROM events WHERE event_type = 'api_error'"),
    )
    expect(JSON.stringify(errors)).toContain("org-4711")
  }
})

test("the owner reads what the provider says", async () => {
  const { agent } = await world([failing(400)])
  expect((await agent.send("Hi.")).text).toContain("org-4711")
})

test("a provider that asked to wait, and the message after the one that waits", async () => {
  const { agent, told, tell } = await world([failing(429, { "retry-after": "3600" })])
  const options = { as: "bob", channel: "telegram", tell }
  const replies = [await agent.send("One.", options), await agent.send("Two.", options)]
  expect(replies.map(({ text }) => text)).toEqual(
    Array(2).fill("The model cannot be reached right now. Your message is kept and will be answered later."),
  )
  expect(told.flatMap((event) => (event.kind === "queued" ? [event.why] : []))).toEqual(
    Array(2).fill("the model cannot be reached right now"),
  )
})

const BROKEN_PROFILE = `
const markup = { name: "plain", envelope: () => ({ open: "", close: "" }), escapes: () => [] }
const build = () => { throw new TypeError("a fault at org-4711") }
export default { name: "broken", markup, order: "paced", sections: [{ id: "who", pace: "turn", priority: "high", trust: "public", cut: "whole", build }] }
`

test("a turn that breaks off each time", async () => {
  const root = workspace({ "incipit.yaml": CONFIG, "broken.mjs": BROKEN_PROFILE })
  const { agent, late } = await open(root, await server([say("Hello.")]), {
    profile: join(root, "broken.mjs"),
  })
  const options = { as: "bob", channel: "telegram" }
  for (const text of ["One", "Two", "Three"])
    expect(await agent.send(text, options)).toMatchObject({
      state: "failed",
      text: "This cannot be answered right now. Your message is kept.",
    })
  await agent.resume()
  expect(late.map(({ text }) => text)).toEqual(["This message could not be answered."])
})

test("a tool that fails in words of its own, and one that names a folder", async () => {
  const scripts = [call(["broken", {}], ["lost", {}]), say("Sorry.")]
  let folder = ""
  const tools = [
    tool("broken", async () => {
      throw new Error(`ECONNREFUSED ${INTERNAL} at ${folder}/secret.db`)
    }),
    tool("lost", async () => {
      throw new ToolFailure(`${folder}/notes.md is not there.`, { detail: INTERNAL })
    }),
  ]
  const { root, agent, told, tell } = await world([...scripts, ...scripts], { tools })
  folder = root
  // As the model reads it: what the person is told has no results.
  await agent.send("Try.", { as: "bob", channel: "telegram", observe: tell })
  const results = () => told.flatMap((event) => (event.kind === "tool-finished" ? [event.text] : []))
  expect(results()).toEqual(["broken failed.", "./notes.md is not there."])
  told.length = 0
  await agent.send("Try.", { tell })
  expect(results()).toEqual([
    `broken failed: ECONNREFUSED ${INTERNAL} at ${root}/secret.db`,
    `${root}/notes.md is not there.\n${INTERNAL}`,
  ])
  await agent.close()
  const errors = inRecord(root, (record) =>
    record.all("SELECT error FROM events WHERE event_type = 'tool_error'"),
  )
  expect(errors.filter(({ error }) => String(error).includes("org-4711"))).toHaveLength(4)
})

test("a store that is gone, or cannot be written", async () => {
  for (const as of ["bob", undefined]) {
    const root = workspace({ "incipit.yaml": CONFIG })
    const shred = tool("shred", async () => {
      for (const end of ["", "-wal", "-shm"])
        rmSync(join(root, ".incipit", `agent.db${end}`), { force: true })
      return "shredded"
    })
    const from = await server([call(["shred", {}]), say("Done.")])
    const { agent } = await open(root, from, { tools: [shred] })
    const told: LiveEvent[] = []
    const sender = as === undefined ? {} : { as, channel: "telegram" }
    const { text } = await agent.send("Shred it.", { ...sender, tell: (event) => told.push(event) })
    expect([as, text.includes(root)]).toEqual([as, as === undefined])
    if (as === undefined) continue
    expect(text).toBe("This message could not be answered. Please send it again later.")
    const shown = told.filter(({ kind }) => kind !== "turn-finished")
    expect(JSON.stringify(shown)).not.toContain(root)
  }
})

test("a configuration that cannot be read", async () => {
  const { root, agent, told, tell } = await world([say("Hello.")])
  write(root, "incipit.yaml", "profile: [")
  await agent.send("Hi.", { as: "bob", channel: "telegram", tell })
  expect(told.filter(({ kind }) => kind === "diagnostic")).toEqual([])
  write(root, "incipit.yaml", "profile: [[")
  await agent.send("Hi.", { tell })
  expect(told.filter(({ kind }) => kind === "diagnostic")).toHaveLength(1)
})

test("somebody who asks the agent for the log of their session reads that it failed, not why", async () => {
  const look = call(["incipit_logs", {}], ["incipit_status", {}])
  const { agent, told, tell } = await world([failing(400), look, say("There.")])
  const options = { as: "eve", channel: "telegram", observe: tell }
  await agent.send("Hi.", options)
  await agent.record.flush()
  await agent.send("Why did it fail?", options)
  const results = told.flatMap((event) => (event.kind === "tool-finished" ? [event.text] : []))
  expect(results[0]).toContain("api_error")
  expect(results.join("\n")).not.toContain("org-4711")
})
