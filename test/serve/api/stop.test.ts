// Stopping a turn over the API: what was written until then stays, in the answer and in the session.
import { expect, test } from "vitest"
import { server } from "../../agent/world/agent-world.ts"
import { modelAt } from "../../agent/world/ask-model.ts"
import type { Script } from "../../agent/world/servers/script.ts"
import { clientOf, OPERATOR, openApi } from "./api-client.ts"

const WAIT = { timeout: 20_000, interval: 10 }
const TEXT = "The lamp burns in the tower by the sea, all night long."
const CALL = { name: "shell", input: { command: "echo lit" } }

async function asked(script: Script) {
  const from = await server([script])
  const gateway = await openApi({ script: await modelAt(from, "anthropic") })
  const client = await clientOf(gateway, OPERATOR)
  const answer = client.post("/api/sessions", { text: "Tell me about the lamp, please." })
  await expect.poll(async () => (await client.get("/api/sessions")).json.sessions.length, WAIT).toBe(1)
  const [{ id }] = (await client.get("/api/sessions")).json.sessions
  const said = async () => {
    const { messages } = (await client.get(`/api/sessions/${id}`)).json
    return messages.filter(({ role }: { role: string }) => role === "assistant").at(-1)?.text
  }
  const stop = async () => {
    expect((await client.post(`/api/sessions/${id}/stop`, {})).json).toEqual({ stopped: 1 })
    return (await answer).json
  }
  return { client, said, stop }
}

test("a stop while a tool waits keeps what was written before its call", async () => {
  const { client, said, stop } = await asked({ kind: "reply", parts: [{ text: TEXT }, { call: CALL }] })
  await expect.poll(async () => (await client.get("/api/approvals")).json.approvals.length, WAIT).toBe(1)
  expect(await stop()).toMatchObject({ state: "stopped", text: TEXT })
  expect(await said()).toBe(TEXT)
})
