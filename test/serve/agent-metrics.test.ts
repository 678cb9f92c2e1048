// What `/metrics` says about the agents: counts by agent and channel, and nothing about who talked or what about.
import { expect, test, vi } from "vitest"
import type { Surface } from "../../src/serve/http/surface.ts"
import { createAgentMetrics } from "../../src/serve/metrics/agent-metrics.ts"
import { openTestGateway } from "./gateway.ts"

const SAY: Surface = {
  prefix: "/say",
  scopes: ["talk"],
  handle: async (request, { agents, caller }) =>
    new Response((await agents.main.send(await request.text(), caller.from)).text),
}

test("turns, tokens, cost, cache, queue, sessions and failures of channels, without names or texts", async () => {
  const warnings: string[] = []
  const channel = {
    name: "test",
    parts: () => [],
    send: async () => undefined,
    run: async () => Promise.reject(new Error("no herring")),
  }
  const { url, get, token } = await openTestGateway({
    surfaces: [SAY],
    channels: [{ channel, policy: { strangers: "silent", rooms: "mentions" } }],
    script: () => "An answer.",
    warn: (line) => warnings.push(line),
  })
  const { secret } = await token({ scopes: ["talk", "operate"] })
  const headers = { authorization: `Bearer ${secret}` }
  for (const body of ["halibut", "sturgeon"]) await fetch(`${url}/say`, { method: "POST", headers, body })
  await vi.waitUntil(() => warnings.length > 0)
  const text = await (await get("/metrics", headers)).text()
  const value = (series: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.split(" ")
        .at(-1),
    )
  expect(value('incipit_turns_total{agent="main",state="answered"}')).toBe(2)
  for (const kind of ["written", "read", "output"])
    expect(value(`incipit_tokens_total{agent="main",from="simulated",kind="${kind}"}`)).toBeGreaterThan(0)
  expect(value("incipit_cache_hit_ratio")).toBeGreaterThan(0.3)
  expect(value("incipit_sessions_active")).toBe(1)
  expect(value('incipit_queue_messages{agent="main",state="waiting"}')).toBe(0)
  expect(value('incipit_channel_errors_total{channel="test"}')).toBe(warnings.length)
  expect(text).not.toMatch(/\bbo\b|halibut|sturgeon|herring|answer\.|inc_/)
  expect(
    text.split("\n").every((line) => /^(# (HELP|TYPE) .+|[a-z_]+(\{[^{}]*\})? [\d.e+-]+|)$/.test(line)),
  ).toBe(true)
})

test("sessions are forgotten after an hour, also if nobody reads the metrics", async () => {
  let now = 0
  const metrics = createAgentMetrics(() => now)
  const event = { kind: "text", text: "" } as const
  const facts = {
    agent: "main",
    turn: "t",
    trace: "t",
    trust: "full" as const,
    length: 0,
    event,
    for: () => event,
  }
  metrics.watch({ ...facts, session: "early" })
  now = 2 * 60 * 60_000
  metrics.watch({ ...facts, session: "late" })
  // At this time, both would still count.
  now = 0
  const text = await metrics.text([], { inbox: (await openTestGateway()).store.inbox })
  expect(text).toContain("incipit_sessions_active 1\n")
})
