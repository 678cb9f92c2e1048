// The results of one step together: they fit the window, what is left out is kept and can be read on, and a request that
// was refused as too long is not sent again as it was.
import { statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { agentStoreIn } from "../../../../src/database/sqlite/agent/agent-store.ts"
import { STORE_MIGRATIONS } from "../../../../src/database/sqlite/agent/file/schema.ts"
import { openDatabase } from "../../../../src/database/sqlite/open-database.ts"
import { o200k } from "../../../../src/tokens/o200k.ts"
import {
  call,
  collect,
  inStore,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../../world/agent-world.ts"
import type { Json } from "../../world/servers/refusals.ts"
import type { Script } from "../../world/servers/script.ts"

const WINDOW = 40_000
const CONFIG = `profile: incipit\nfeeds: { communication: off }\nbudget: { window: ${WINDOW}, reserve: 1000 }\n`
const TOO_LONG: Script = {
  kind: "error",
  status: 400,
  body: { type: "error", error: { type: "invalid_request_error", message: "prompt is too long" } },
}

/** A provider with a window; each script in order for what fits. */
async function provider(scripts: readonly Script[], window = WINDOW) {
  const refused: string[] = []
  let at = 0
  const from = await server(({ body }: { readonly body: Json }) => {
    const { system, tools, messages } = body
    const text = JSON.stringify([system, tools, messages])
    if (o200k.count(text) > window) {
      refused.push(text)
      return TOO_LONG
    }
    at += 1
    return scripts[Math.min(at, scripts.length) - 1] ?? say("Yes.")
  })
  return { from, refused }
}

const LINES = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_line, at) => `${name} line ${at + 1}: the tide stands at ${at * 7} cm`,
  ).join("\n")

test("thirty reads at once fit together, and what was left out can be read on", async () => {
  const names = Array.from({ length: 30 }, (_file, at) => `log-${at}.txt`)
  const files = Object.fromEntries(names.map((name) => [name, LINES(name, 150)]))
  const root = workspace({ "incipit.yaml": CONFIG, ...files, "short.txt": "all of it" })
  const reads = [...names, "short.txt"].map((path) => ["read", { path }] as const)
  const { from, refused } = await provider([call(...reads), say("Read."), say("Yes.")])
  const { agent } = await open(root, from)
  const { events, tell } = collect()
  const { session, state, steps } = await agent.send("Read all.", { tell })
  expect({ state, steps, refused }).toEqual({ state: "answered", steps: 2, refused: [] })
  const results = transcript(root, session).filter((line) => line.startsWith("result: "))
  expect(results).toHaveLength(31)
  // What is short stays whole.
  expect(results[30]).toBe("result: all of it")
  const pointers = results
    .slice(0, 30)
    .map((text) => /read it with read, path "(result:[\d.]+)"/.exec(text)?.[1])
  expect(new Set(pointers).size).toBe(30)
  expect(results[7]).toMatch(
    /^result: log-7\.txt line 1: .*lines left out.*log-7\.txt line 150: .*\[This result is cut: the results of this step were too long together\./s,
  )
  expect(events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : []))).toContain(
    "30 of the 31 results of step 1 were cut, because they were too long together.",
  )
  const more = await provider([call(["read", { path: pointers[7], from: 100, lines: 2 }]), say("Seen.")])
  await agent.close()
  const again = await open(root, more.from)
  await again.agent.send("Go on.", { session })
  const lines = LINES("log-7.txt", 150).split("\n").slice(99, 101)
  expect(transcript(root, session)).toContainEqual(
    `result: ${lines.join("\n")}\n[lines 102 to 150 are left out; continue with from=102]`,
  )
})

test("a tool's 20 MB are cut when they come: neither sent nor stored whole", async () => {
  const root = workspace({ "incipit.yaml": CONFIG })
  const huge = "a very long line without end ".repeat(700_000)
  const { from, refused } = await provider([call(["huge", {}]), say("Done.")])
  const { agent } = await open(root, from, { tools: [tool("huge", async () => huge)] })
  const { session, state } = await agent.send("Look.")
  expect({ state, refused }).toEqual({ state: "answered", refused: [] })
  await agent.close()
  expect(statSync(join(root, ".incipit", "agent.db")).size).toBeLessThan(4_000_000)
  expect(statSync(join(root, ".incipit", "record.db")).size).toBeLessThan(2_000_000)
  const [, pointer] = /path "(result:[\d.]+)"/.exec(transcript(root, session).join("\n")) ?? []
  const more = await provider([call(["read", { path: pointer, from: 3 }]), say("Seen.")])
  const again = await open(root, more.from)
  await again.agent.send("Go on.", { session })
  // A line without an end is kept as lines, so that it can be read on.
  expect(transcript(root, session).at(-2)).toMatch(/^result: .*without end.*continue with from=\d+\]$/s)
})

test("another session cannot read what was kept, it goes with its session, and nothing is kept where no tool could read it", async () => {
  const root = workspace({ "incipit.yaml": `${CONFIG}tools: [list]\n` })
  const { from } = await provider([call(["long", {}]), say("Done.")])
  const { agent } = await open(root, from, { tools: [tool("long", async () => LINES("long", 4_000))] })
  const { session } = await agent.send("Look.")
  expect(transcript(root, session).join("\n")).toMatch(
    /\[This result is cut: it was too long\. The rest is not kept\.\]/,
  )
  expect(inStore(root, (store) => store.all("SELECT count(*) AS kept FROM kept_results"))[0]?.kept).toBe(0)
  await agent.close()
  const all = workspace({ "incipit.yaml": CONFIG })
  const first = await provider([call(["long", {}]), say("Done.")])
  const one = await open(all, first.from, { tools: [tool("long", async () => LINES("long", 4_000))] })
  const kept = await one.agent.send("Look.")
  const [, pointer] = /path "(result:[\d.]+)"/.exec(transcript(all, kept.session).join("\n")) ?? []
  expect(pointer).toBeDefined()
  await one.agent.close()
  const second = await provider([call(["read", { path: pointer }]), say("Done.")])
  const other = await open(all, second.from)
  const { session: elsewhere } = await other.agent.send("Look.", { isNew: true })
  expect(transcript(all, elsewhere)).toContainEqual(`error: No such file or folder: ${pointer}.`)
  await other.agent.close()
  const database = openDatabase(join(all, ".incipit", "agent.db"), { migrations: STORE_MIGRATIONS })
  expect(database.get("SELECT count(*) AS kept FROM kept_results")?.kept).toBe(1)
  await agentStoreIn(database, () => Number.MAX_SAFE_INTEGER).upkeep.erase(["owner"])
  expect(database.get("SELECT count(*) AS kept FROM kept_results")?.kept).toBe(0)
  database.close()
})

test("what was refused as too long is not sent again as it was, and results are cut shorter", async () => {
  const root = workspace({ "incipit.yaml": CONFIG })
  // A quarter of what the configuration says.
  const { from, refused } = await provider([call(["long", {}], ["long", {}]), say("Done.")], WINDOW / 4)
  const { agent } = await open(root, from, { tools: [tool("long", async () => LINES("long", 4_000))] })
  expect(await agent.send("Look.")).toMatchObject({ state: "answered", text: "Done." })
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused).size).toBe(refused.length)
})

test("a message that is too long by itself is sent once", async () => {
  const root = workspace({ "incipit.yaml": CONFIG })
  const { from, refused } = await provider([say("Yes.")])
  const { agent } = await open(root, from)
  expect(await agent.send(LINES("mine", 4_000))).toMatchObject({ state: "failed" })
  expect(refused).toHaveLength(1)
  expect(await agent.send("Still there?")).toMatchObject({ state: "answered" })
})
