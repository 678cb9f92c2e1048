// What a part of the work leaves behind: its cost is in the reply, its calls in the trace, its tasks in a list of its own.
import { expect, test } from "vitest"
import { STORE_MIGRATIONS } from "../../../../src/database/sqlite/agent/file/schema.ts"
import { openStore } from "../../../../src/database/sqlite/agent/open-store.ts"
import { openDatabase } from "../../../../src/database/sqlite/open-database.ts"
import { traceLines, traceOf } from "../../../../src/record/ask/trace.ts"
import { inputOf } from "../../../../src/render/cache/price.ts"
import {
  call,
  clock,
  inRecord,
  inStore,
  NIGHT,
  ofRecord,
  open,
  refuse,
  say,
  server,
  workspace,
} from "../../world/agent-world.ts"

const CONFIG = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
`
const FILES = { "incipit.yaml": CONFIG, "agents/reader/SOUL.md": "You read.\n" }

const spent = (root: string) =>
  inRecord(root, (record) =>
    Number(record.get("SELECT sum(cost_usd) AS sum FROM events WHERE event_type = 'api_call'")?.sum),
  )

test.each([{}, { agent: "reader" }])("reply.cost counts a part (%j)", async (to) => {
  const root = workspace(FILES)
  const from = await server([
    call(["delegate", { task: "Count the boats.", ...to }]),
    say("Three."),
    say("There are three."),
  ])
  const { agent } = await open(root, from)
  const { cost, steps } = await agent.send("How many boats?")
  await agent.close()
  expect([from.bodies.length, steps]).toEqual([3, 2])
  expect(cost.costUsd).toBeGreaterThan(0)
  expect(cost.costUsd).toBeCloseTo(spent(root), 10)
})

test("the cost of a part that fails, or is stopped with its turn, is counted as well", async () => {
  const root = workspace(FILES)
  const stop = new AbortController()
  const from = await server(({ calls }) => {
    if (calls === 2 || calls === 6) return call(["list", {}])
    if (calls === 3) return refuse(400)
    if (calls === 4) return say("It failed.")
    return calls === 7 ? { kind: "stall" } : call(["delegate", { task: "Count the boats." }])
  })
  const { agent } = await open(root, from)
  const failed = await agent.send("How many boats?")
  void from.held().then(() => stop.abort())
  const stopped = await agent.send("And now?", { signal: stop.signal })
  await agent.close()
  expect([failed.state, stopped.state, from.bodies.length]).toEqual(["answered", "stopped", 7])
  expect((failed.cost.costUsd ?? 0) + (stopped.cost.costUsd ?? 0)).toBeCloseTo(spent(root), 10)
  expect(inputOf(stopped.cost.usage)).toBeGreaterThan(0)
})

test("the calls of a part are in the trace of the turn that gave it", async () => {
  const root = workspace(FILES)
  const from = await server([
    call(["delegate", { task: "Count the boats." }]),
    call(["list", {}]),
    say("Three."),
    say("There are three."),
  ])
  const { agent } = await open(root, from)
  const { turn } = await agent.send("How many boats?")
  await agent.close()
  const trace = await ofRecord(root, (store) => traceOf(store, turn))
  const lines = traceLines(trace ?? { at: 0, nodes: [], more: 0 }).map(
    (line) => /^ *\[\w+\] \w+/.exec(line)?.[0],
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "[gateway] message_received",
      "  [router] trust_resolved",
      "  [session] session_created",
      "  [agent] turn_started",
      "    [prompt] epoch_started",
      "    [prompt] prompt_built",
      "    [provider] api_call",
      "    [tool] delegate",
      "    [gateway] message_received",
      "      [router] trust_resolved",
      "      [session] session_created",
      "      [agent] turn_started",
      "        [prompt] epoch_started",
      "        [prompt] prompt_built",
      "        [provider] api_call",
      "        [tool] list",
      "        [prompt] prompt_built",
      "        [provider] api_call",
      "      [agent] turn_completed",
      "    [prompt] prompt_built",
      "    [provider] api_call",
      "  [agent] turn_completed",
      "  [channel] message_sent",
    ]
  `)
})

test("a part has its own list of tasks, which goes with its session", async () => {
  const root = workspace({ "incipit.yaml": CONFIG })
  const time = clock()
  const from = await server([
    call(["task_write", { title: "Paint the boat" }]),
    call(["delegate", { task: "Count the boats." }]),
    call(["task_write", { title: "Look at the pier" }]),
    say("Three."),
    say("Done."),
  ])
  const { agent } = await open(root, from, { now: time.now })
  await agent.send("Paint it, and count.")
  expect((await agent.kept().tasks.list()).map(({ title }) => title)).toEqual(["Paint the boat"])
  expect(from.bodies.map((body) => /Paint the boat/.test(body))).toEqual([false, true, false, false, true])
  expect(from.bodies.map((body) => /Look at the pier/.test(body))).toEqual([false, false, false, true, false])
  await agent.close()
  const titles = () => inStore(root, (store) => store.all("SELECT title FROM tasks ORDER BY title"))
  expect(titles()).toEqual([{ title: "Look at the pier" }, { title: "Paint the boat" }])
  const path = `${root}/.incipit/agent.db`
  const database = openDatabase(path, { migrations: STORE_MIGRATIONS })
  // A newer part, after which the first is over.
  database.run(
    "INSERT INTO sessions (id, key, agent, who, situation, trust, mode, created_at, used_at, state) SELECT 'newer', key, agent, who, situation, trust, mode, created_at + 1, used_at + 1, '{}' FROM sessions WHERE mode = 'subagent'",
  )
  database.close()
  const store = await openStore(path, { now: () => NIGHT + 86_400_000 })
  await store.upkeep.prune({ olderThanMs: 1 })
  await store.close()
  expect(titles()).toEqual([{ title: "Paint the boat" }])
})
