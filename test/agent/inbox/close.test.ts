// Closing an agent while its callers wait: their turns end first, and the next agent goes on with them.
import { expect, test } from "vitest"
import type { Approve } from "../../../src/agent/setup/agent.ts"
import type { RunnableTool } from "../../../src/tools/define-tool.ts"
import { call, inStore, open, say, server, transcript, workspace } from "../world/agent-world.ts"

/** `look` runs at once, `light` only after a yes. */
function lamps(): { readonly acts: string[]; readonly tools: readonly RunnableTool[] } {
  const acts: string[] = []
  const acting = (name: string, approve: boolean): RunnableTool => ({
    ...{ name, approve, description: `Does ${name}.`, parameters: { type: "object" } },
    async run() {
      acts.push(name)
      return `${name}: done`
    },
  })
  return { acts, tools: [acting("look", false), acting("light", true)] }
}

/** Asks nobody; `asked` resolves with the first question. */
function unanswered() {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const approve: Approve = () => {
    resolve()
    return new Promise(() => {})
  }
  return { approve, asked }
}

test("a turn that waits for approval is put back, and asks again", async () => {
  const root = workspace()
  const from = await server([call(["look", {}], ["light", {}]), say("It burns.")])
  const { acts, tools } = lamps()
  const { approve, asked } = unanswered()
  const { agent } = await open(root, from, { tools, approve })
  const { promise: looked, resolve } = Promise.withResolvers<void>()
  const sent = agent.send("Light it.", { tell: ({ kind }) => void (kind === "tool-finished" && resolve()) })
  await Promise.all([asked, looked])
  await agent.close()
  const reply = await sent
  expect([reply.state, reply.text, acts]).toEqual([
    ...["queued", "The agent was closed. Your message is kept."],
    ["look"],
  ])
  expect(inStore(root, (store) => store.all("SELECT call_id, result FROM tool_runs"))).toEqual([
    { call_id: "2.0", result: '{"text":"look: done","isError":false}' },
  ])
  const questions: unknown[] = []
  const { agent: next } = await open(root, from, {
    tools,
    approve: async (request) => {
      questions.push(request)
      return "yes"
    },
  })
  const [late] = await next.resume()
  await next.close()
  expect([late?.text, questions, acts]).toEqual([
    "It burns.",
    [{ kind: "tool", name: "light", input: {} }],
    ["look", "light"],
  ])
  expect(transcript(root, reply.session)).toEqual([
    ...["user: Light it.", "calls look {}", "calls light {}"],
    ...["result: look: done", "result: light: done", "assistant: It burns."],
  ])
})

test("a no counts as an answer: the next agent does not ask again", async () => {
  const root = workspace()
  const from = await server([call(["light", {}]), { kind: "stall" }, say("It stays dark.")])
  const { acts, tools } = lamps()
  const { agent } = await open(root, from, { tools, approve: async () => "no" })
  const sent = agent.send("Light it.")
  await from.held()
  await agent.close()
  expect((await sent).state).toBe("queued")
  const { approve } = unanswered()
  const { agent: next } = await open(root, from, { tools, approve })
  const [late] = await next.resume()
  await next.close()
  expect([late?.text, acts]).toEqual(["It stays dark.", []])
})

test("what its caller stopped is over, and a message behind it is kept", async () => {
  const root = workspace()
  const from = await server([call(["light", {}]), say("Yes.")])
  const { tools } = lamps()
  const { approve, asked } = unanswered()
  const { agent } = await open(root, from, { tools, approve })
  const stop = new AbortController()
  const first = agent.send("Light it.", { signal: stop.signal })
  await asked
  const { promise: stored, resolve } = Promise.withResolvers<void>()
  const second = agent.send("Are you there?", { stored: resolve })
  await stored
  stop.abort()
  await agent.close()
  expect([(await first).state, (await second).state]).toEqual(["stopped", "queued"])
  expect(transcript(root, (await first).session)).toContain("error: It was stopped.")
  const { agent: next } = await open(root, from, { tools })
  expect((await next.resume()).map(({ text }) => text)).toEqual(["Yes."])
  await next.close()
  await expect(agent.send("Hello?")).rejects.toThrow("the agent is closed")
})
