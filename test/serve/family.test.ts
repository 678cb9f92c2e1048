// The family of the guide behind a server: which notes are sent to the model in whose name, even if it asks for all.
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { call, MODEL, say } from "../agent/world/agent-world.ts"
import { startServer } from "../agent/world/servers/server.ts"
import { openWholeGateway } from "./whole-gateway.ts"

const NOTES = {
  "Nora's own": "OYSTER-7",
  "the parents'": "LARKSPUR",
  "the house's": "MARIGOLD",
  "about Sam": "sleeps until noon",
  "about Leo": "Explain things, don't simplify them",
}

/** Looks for everything before it answers. */
const CURIOUS = [
  call(
    ["memory_search", { query: "receipt ring bicycle birthday spare key number" }],
    ["grep", { pattern: "receipt|bicycle|spare key|noon|homework" }],
    ["read", { path: "MEMORY.md" }],
    ["read", { path: "memory/shared/PARENTS.md" }],
    ["read", { path: "users/sam/USER.md" }],
    ["read", { path: "users/leo/USER.md" }],
  ),
  say("Let me think about it."),
]

async function askedAs(user: string, situation: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-family-"))
  cpSync("examples/family", join(folder, "workspace"), { recursive: true })
  const provider = await startServer({
    protocol: "anthropic",
    answer: ({ calls }) => CURIOUS[calls - 1] ?? say("That is all."),
  })
  const gateway = await openWholeGateway({ folder, env: provider.env, model: MODEL })
  try {
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": await gateway.token(user, situation), "content-type": "application/json" },
      body: JSON.stringify({
        ...{ model: "main", max_tokens: 1_000 },
        messages: [{ role: "user", content: "What should I know about the spare key and the presents?" }],
      }),
    })
    expect(response.status).toBe(200)
    const sent = provider.sent.join("\n")
    return Object.entries(NOTES).flatMap(([name, words]) => (sent.includes(words) ? [name] : []))
  } finally {
    await gateway.close()
    await provider.close()
    rmSync(folder, { recursive: true })
  }
}

test.each([
  ["nora", "dm", ["Nora's own", "the parents'", "the house's", "about Sam", "about Leo"]],
  ["sam", "dm", ["the parents'", "the house's", "about Sam"]],
  ["leo", "dm", ["the house's", "about Leo"]],
  ["nora", "group", ["the house's"]],
])("%s in %s: the model is sent %j", async (user, situation, expected) => {
  expect(await askedAs(user, situation)).toEqual(expected)
})
