// What the record says of tools and prompts: an input that is wrong is an error, the latest trace needs no id, and a
// prompt is recorded with what is cached of it.
import { expect, onTestFinished, test } from "vitest"
import { foldRepeats } from "../../../src/record/ask/trace.ts"
import { inFile } from "../../record/in-file.ts"
import { call, collect, inRecord, open, say, server, startAgent, workspace } from "../world/agent-world.ts"

test("an input error of a tool that answers is recorded as an error, and told to the model as one", async () => {
  const root = workspace()
  const from = await server([
    call(["incipit_cost", { by: 7 }], ["memory_search", { query: 7 }], ["incipit_logs", { limit: "many" }]),
    say("Sorry."),
  ])
  const { agent } = await open(root, from)
  const { events, tell } = collect()
  await agent.send("How much?", { observe: tell })
  await agent.close()
  const finished = events.flatMap((event) => (event.kind === "tool-finished" ? [event] : []))
  expect(finished.map(({ isError, text }) => [isError, text.startsWith("The input is not valid")])).toEqual(
    Array(3).fill([true, true]),
  )
  const types = inRecord(root, (record) =>
    record.all("SELECT event_type AS type FROM events WHERE category = 'tool'").map(({ type }) => type),
  )
  expect(types).toEqual(Array(3).fill("tool_error"))
})

test("`incipit_trace` without an id shows the turn before this one", async () => {
  const root = workspace()
  const from = await server([say("One."), call(["incipit_trace", {}]), say("Two.")])
  const { agent } = await open(root, from)
  const { events, tell } = collect()
  const { turn } = await agent.send("An unusual question?")
  await agent.send("What happened?", { observe: tell })
  const [shown] = events.flatMap((event) => (event.kind === "tool-finished" ? [event] : []))
  expect([shown?.isError, shown?.text.includes("length=20"), shown?.text.includes("message_sent")]).toEqual([
    false,
    true,
    true,
  ])
  expect(turn).not.toBe("")
})

test("refusals of two turns are not one line under one id", () => {
  const refusal = (id: number, turn: string) =>
    ({
      id,
      at: id,
      type: "api_error",
      level: "error",
      category: "provider",
      turn,
      session: "s",
      data: { status: 429 },
    }) as const
  const runs = foldRepeats([refusal(1, "t1"), refusal(2, "t1"), refusal(3, "t2"), refusal(4, "t2")])
  expect(runs.map(({ events, times }) => [events[0]?.turn, times])).toEqual([
    ["t1", 2],
    ["t2", 2],
  ])
})

/** What each `prompt_built` says is cached, for three messages: the third comes when the cache has expired. */
async function cachedOf(profile: string) {
  const local = await startAgent({
    protocol: "anthropic",
    profile,
    files: { "incipit.yaml": "feeds: { communication: off, bulletin: off }\nenvironment: { host: off }\n" },
    answer: () => [{ text: "Yes." }],
  })
  onTestFinished(() => local.close())
  await local.send("One?")
  await local.send("Two?")
  local.pass(3_600_000)
  await local.send("Three?")
  await local.agent.record.flush()
  const cached = inFile(local.agent.record, (record) =>
    record
      .all("SELECT metadata FROM events WHERE event_type = 'prompt_built' ORDER BY id")
      .map(({ metadata }) => Number(JSON.parse(String(metadata)).cached_tokens)),
  )
  return { cached, usages: local.exchanges.map(({ usage }) => usage) }
}

test("a prompt is recorded with what is cached of it: nothing at first, then what the call before has left", async () => {
  const { cached, usages } = await cachedOf("incipit")
  const [first] = usages
  expect(cached).toEqual([0, Object.values(first?.write ?? {}).reduce((sum, one) => sum + one, 0), 0])
})

test("where the head moves with the turn, its blocks before that are recorded as cached", async () => {
  const { cached, usages } = await cachedOf("osa")
  const [first, second, third] = cached
  expect([first, third]).toEqual([0, 0])
  const read = usages[1]?.read ?? 0
  expect(read).toBeGreaterThan(1_024)
  // The provider counts what stands around texts and tools as well.
  expect(Math.abs((second ?? 0) - read)).toBeLessThan(read / 4)
})
