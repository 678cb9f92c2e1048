// The second model: when it takes over, what it is sent, and when it is never asked.
import { expect, onTestFinished, test } from "vitest"
import {
  clock,
  collect,
  inRecord,
  type OpenOptions,
  open,
  refuse,
  say,
  server,
  transcript,
  workspace,
} from "../../world/agent-world.ts"
import type { Script } from "../../world/servers/script.ts"
import { startServer } from "../../world/servers/server.ts"

const SECOND = "openai/gpt-5.6-sol"
const CONFIG = `profile: incipit\nfeeds: { communication: off, bulletin: off }\nenvironment: { host: off }\nfallback_model: ${SECOND}\n`

/** Two providers; each has its own scripts. */
async function world(first: readonly Script[], second: readonly Script[], options: OpenOptions = {}) {
  const root = workspace({ "incipit.yaml": CONFIG })
  const time = clock()
  const one = await server(first)
  const two = await startServer({
    protocol: "openai-responses",
    answer: ({ calls }) => second[Math.min(calls, second.length) - 1] as Script,
  })
  onTestFinished(() => two.close())
  const env = { ...one.env, ...two.env }
  const { agent } = await open(root, { env }, { now: time.now, wait: time.wait, ...options })
  return { root, agent, one, two, time }
}

const DOWN = Array<Script>(4).fill(refuse(529))
const SWITCHED = {
  kind: "diagnostic",
  level: "warning",
  text: `anthropic/claude-sonnet-5-5 cannot answer now (529: status 529). ${SECOND} takes over until the end of this turn.`,
}

test("it answers once retries have not helped, in its own form, and the next turn begins with the first again", async () => {
  const { root, agent, one, two } = await world([...DOWN, say("Better.")], [say("It is calm.")])
  const { events, tell } = collect()
  const reply = await agent.send("How is the sea?", { tell })
  expect([reply.state, reply.text, one.sent.length, two.sent.length]).toEqual([
    "answered",
    "It is calm.",
    4,
    1,
  ])
  expect(events.filter(({ kind }) => kind === "diagnostic")).toEqual([SWITCHED])
  expect(events.flatMap((event) => (event.kind === "step-started" ? [event.model] : []))).toEqual([
    "anthropic/claude-sonnet-5-5",
    SECOND,
  ])
  const body = JSON.parse(two.sent[0] ?? "")
  expect([body.model, body.prompt_cache_key, body.input.at(-1).role]).toEqual([
    "gpt-5.6-sol",
    reply.session,
    "developer",
  ])
  expect(JSON.stringify(body)).toContain("How is the sea?")
  expect((await agent.send("And now?")).text).toBe("Better.")
  expect([one.sent.length, two.sent.length]).toEqual([5, 1])
  expect(transcript(root, reply.session)).toEqual([
    "user: How is the sea?",
    "assistant: It is calm.",
    "user: And now?",
    "assistant: Better.",
  ])
  const calls = inRecord(root, (record) =>
    record
      .all("SELECT model FROM events WHERE event_type = 'api_call' ORDER BY id")
      .map(({ model }) => model),
  )
  expect(calls).toEqual([SECOND, "anthropic/claude-sonnet-5-5"])
  const receipts = inRecord(root, (record) => record.all("SELECT model FROM receipts_by_model ORDER BY id"))
  expect(receipts.map(({ model }) => model)).toEqual([SECOND, "anthropic/claude-sonnet-5-5"])
})

test("the beginning of an answer that broke off is discarded, never continued by another model", async () => {
  const cut: Script = { kind: "cut", parts: [{ text: "The sea is" }], afterParts: 1 }
  const { agent } = await world([cut], [say("It is calm.")])
  const { events, tell } = collect()
  expect(await agent.send("How is the sea?", { tell })).toMatchObject({
    state: "answered",
    text: "It is calm.",
  })
  const shown = events.flatMap((event) =>
    event.kind === "text" || event.kind === "step-discarded" ? [event] : [],
  )
  const last = shown.findLastIndex(({ kind }) => kind === "step-discarded")
  expect(shown.slice(last)).toEqual([
    { kind: "step-discarded", step: 1 },
    { kind: "text", text: "It is calm." },
  ])
})

test.each([400, 401])("what the first refuses with %s is never asked of the second", async (status) => {
  const { agent, two } = await world([refuse(status)], [say("Anything you like.")])
  expect((await agent.send("Something refused?")).state).toBe("failed")
  expect(two.sent).toEqual([])
})

test("if both fail, the message is kept; a second model that cannot be used is reported", async () => {
  const both = await world(DOWN, [refuse(503)])
  expect((await both.agent.send("Anybody?")).state).toBe("queued")
  expect([both.one.sent.length, both.two.sent.length]).toEqual([4, 4])
  const from = await server(DOWN)
  const time = clock()
  const { agent } = await open(workspace({ "incipit.yaml": CONFIG }), from, {
    now: time.now,
    wait: time.wait,
  })
  const { events, tell } = collect()
  expect((await agent.send("Anybody?", { tell })).state).toBe("queued")
  expect(events.filter(({ kind }) => kind === "diagnostic")).toEqual([
    {
      kind: "diagnostic",
      level: "warning",
      text: `The fallback model cannot be used: ${SECOND} needs OPENAI_API_KEY`,
    },
  ])
})

test("a summary is asked of it, too, before the conversation is cut without one", async () => {
  const { root, agent, one, two } = await world([say("It is calm."), ...DOWN], [say("Goal: watch the sea.")])
  const { session } = await agent.send("How is the sea?")
  await agent.compact(session)
  expect([one.sent.length, two.sent.length]).toEqual([5, 1])
  expect(transcript(root, session)[0]).toContain("Goal: watch the sea.")
})
