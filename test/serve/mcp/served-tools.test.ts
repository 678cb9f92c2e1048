// The tools over `/mcp`, on what a real gateway with a real conversation has recorded.
import { expect, test } from "vitest"
import { say } from "../../agent/world/agent-world.ts"
import { named, openPageWorld } from "../page/page-world.ts"
import { askMcp, callTool } from "./mcp-caller.ts"

const FILES = {
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "AGENTS.md": "Use metric units.\n",
  "MEMORY.md": "The key is under the third stone.\n",
  "memory/social/cable.md": "Jonas replaced the winch cable on Thursday.\n",
  "skills/knots/SKILL.md": "---\nname: knots\ndescription: Ties knots.\n---\nTie a bowline.\n",
}

const answers = () => openPageWorld({ files: FILES, scripts: [say("High water at two.")] })

test("the owner's tools, resources, prompts and skills", async () => {
  const { operator } = await answers()
  const listed = async (method: string, key: string, name: string) => {
    const { result } = JSON.parse((await askMcp(operator, method)).slice(4))
    return result[key].map((one: Readonly<Record<string, unknown>>) => one[name])
  }
  expect(await listed("tools/list", "tools", "name")).toEqual([
    ...["memory", "explain", "trace", "cost", "logs", "compile"],
  ])
  expect(await listed("prompts/list", "prompts", "name")).toEqual(["knots"])
  expect(await listed("resources/list", "resources", "uri")).toEqual([
    ...["incipit://prompt", "incipit://prompt/report"],
    ...["incipit://files/AGENTS.md", "incipit://files/SOUL.md"],
  ])
  expect(await listed("resources/templates/list", "resourceTemplates", "uriTemplate")).toEqual([
    ...["incipit://files/{+path}", "incipit://calls/{id}", "skill://{+path}"],
  ])
  expect(await listed("skills/list", "skills", "uri")).toEqual(["skill://knots/SKILL.md"])
  const read = async (uri: string) =>
    JSON.parse((await askMcp(operator, "resources/read", { uri })).slice(4)).result.contents[0].text
  expect(await read("incipit://files/SOUL.md")).toBe(FILES["SOUL.md"])
  expect(await read("skill://knots/SKILL.md")).toBe(FILES["skills/knots/SKILL.md"])
  expect(await read("incipit://prompt")).toContain("You keep the lighthouse.")
  const got = await askMcp(operator, "prompts/get", { name: "knots", arguments: { words: "for the boat" } })
  expect(JSON.parse(got.slice(4)).result.messages).toEqual([
    { role: "user", content: { type: "text", text: "Tie a bowline.\n\nfor the boat\n" } },
  ])
})

test("what a call sent, what it cost, and where a line of the prompt comes from", async () => {
  const { operator } = await answers()
  const { turn, session } = await operator.say("when is high water?")
  const trace = await callTool(operator, "trace")
  expect(trace.data).toMatchObject({
    ...{ client: "incipit", session, exact: true },
    call: { id: `${turn}.1`, model: expect.any(String), costUsd: expect.any(Number) },
  })
  expect(named(trace.text)).toMatchSnapshot()
  const other = await callTool(operator, "trace", { id: turn })
  expect(other.data.call).toEqual(trace.data.call)
  expect((await callTool(operator, "explain", { what: "SOUL.md" })).data.found).toMatchObject([
    { kind: "file", path: "SOUL.md", outcome: "included", section: "soul", lines: [1, 3] },
  ])
  const inCall = await callTool(operator, "explain", { what: "metric units", call: "last" })
  expect(inCall.data).toMatchObject({
    call: `${turn}.1`,
    found: [{ path: "AGENTS.md", text: "Use metric units." }],
  })
  const cost = await callTool(operator, "cost", { by: "session" })
  expect(cost.data.total.costUsd).toBeGreaterThan(0)
  expect(cost.data.rows).toHaveLength(1)
  const logs = await callTool(operator, "logs", { limit: 200 })
  expect(logs.data.events.map(({ what }: { what: string }) => /^\[\w+\] (\w+)/.exec(what)?.[1])).toContain(
    "api_call",
  )
  const compiled = await callTool(operator, "compile")
  expect(compiled.data.sections.find(({ id }: { id: string }) => id === "soul")).toMatchObject({
    ...{ outcome: "included", changes: "stable", tokens: expect.any(Number) },
  })
})

test("memory is found, read and kept", async () => {
  const { operator } = await answers()
  const found = await callTool(operator, "memory", { do: "search", query: "winch" })
  expect(found.data.hits).toMatchObject([
    { path: "social/cable.md", lines: [1, 1], text: "Jonas replaced the winch cable on Thursday." },
  ])
  const got = await callTool(operator, "memory", { do: "get", path: "social/cable.md" })
  expect(got.data.lines).toEqual(["1: Jonas replaced the winch cable on Thursday."])
  const written = await callTool(operator, "memory", { do: "write", text: "The slipway closes at dusk." })
  expect(written.data.status).toBe("written")
  const again = await callTool(operator, "memory", { do: "search", query: "slipway dusk" })
  expect(again.data.hits).toMatchObject([{ text: "- The slipway closes at dusk.", by: "owner" }])
})

test("an answer is at most 2,000 tokens of text, and counts what is not in it", async () => {
  const lines = Array.from({ length: 900 }, (_, at) => `- Fact ${at}: the buoy ${at} is painted red.`)
  const { operator } = await openPageWorld({ files: { "memory/social/buoys.md": `${lines.join("\n")}\n` } })
  const { data, text } = await callTool(operator, "memory", {
    do: "get",
    path: "social/buoys.md",
    limit: 500,
  })
  expect(data.tokens).toBeLessThanOrEqual(2_000)
  expect(data.tokens).toBeGreaterThan(1_800)
  expect(data.lines.length + data.left.count).toBe(900)
  expect(text).toContain(`count=${data.left.count}`)
})

test("a mistake is said in a line, and the reason of a failure is not", async () => {
  const { operator, as } = await answers()
  const mistakes = [
    ["trace", { id: "nothing" }],
    ["memory", { do: "search" }],
    ["memory", { do: "get", path: "../secret.md" }],
    ["cost", { since: "soon" }],
    ["cost", { by: "client" }],
    ["compile", { user: "nobody" }],
    ["logs", { session: "nothing" }],
    ["bill", {}],
  ] as const
  const seen: unknown[] = []
  for (const [name, input] of mistakes) {
    const answer = await askMcp(operator, "tools/call", { name, arguments: input })
    const { result, error } = JSON.parse(answer.slice(answer.indexOf("{")))
    seen.push([name, result?.content[0].text ?? error.message])
  }
  expect(seen).toMatchSnapshot()
  const reader = await as("ada", "dm", ["read"])
  const refused = await callTool(reader, "memory", { do: "write", text: "The sea is red." })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("the scope talk or operate") })
})
