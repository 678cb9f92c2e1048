// What a program's tool returns need not be text: it becomes text when it comes, the builder is told, and a session whose
// store already holds such a result goes on.
import { join } from "node:path"
import { expect, test } from "vitest"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import type { RunnableTool } from "../../../src/tools/define-tool.ts"
import {
  call,
  collect,
  inRecord,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../world/agent-world.ts"

function circular(): object {
  const boat: Record<string, unknown> = { name: "Ada", crew: [{}, {}] }
  boat.self = boat
  return boat
}

function deep(): unknown {
  let value: unknown = 1
  for (let at = 0; at < 100_000; at += 1) value = [value]
  return value
}

function thrower(): never {
  throw new Error("no")
}

const NOTHING = "result: The tool returned nothing."

/** By name: what is returned, what the model reads, and what the builder is told was returned. */
const RETURNED: Readonly<Record<string, readonly [unknown, string, string]>> = {
  undefined: [undefined, NOTHING, "nothing"],
  null: [null, NOTHING, "nothing"],
  number: [42, "result: 42", "a number"],
  boolean: [false, "result: false", "a boolean"],
  bigint: [9007199254740993n, "result: 9007199254740993", "a bigint"],
  object: [{ high: "noon" }, 'result: {\n  "high": "noon"\n}', "an object"],
  array: [[1n, undefined], 'result: [\n  "1",\n  null\n]', "an array"],
  circular: [
    circular(),
    'result: {\n  "name": "Ada",\n  "crew": [\n    {},\n    {}\n  ],\n  "self": "[circular]"\n}',
    "an object",
  ],
  map: [new Map([["a", new Set([1])]]), 'result: {\n  "a": [\n    1\n  ]\n}', "an object"],
  date: [new Date(0), "result: 1970-01-01T00:00:00.000Z", "an object"],
  text_bytes: [Buffer.from("low tide"), "result: low tide", "bytes"],
  bytes: [new Uint8Array([0xff, 0xfe]), "result: (2 bytes that are not text)", "bytes"],
  array_buffer: [new TextEncoder().encode("ebb").buffer, "result: ebb", "bytes"],
  error: [new Error("the winch is stuck"), "error: error failed: the winch is stuck", "an error"],
  symbol: [Symbol("tide"), "error: symbol returned a symbol, which cannot be read as text.", "a symbol"],
  function: [thrower, "error: function returned a function, which cannot be read as text.", "a function"],
  to_json: [
    { toJSON: thrower },
    "error: to_json returned an object, which cannot be read as text.",
    "an object",
  ],
  getter: [
    Object.defineProperty({}, "x", { enumerable: true, get: thrower }),
    "error: getter returned an object, which cannot be read as text.",
    "an object",
  ],
  deep: [deep(), "error: deep returned an array, which cannot be read as text.", "an array"],
}
const NAMES = Object.keys(RETURNED)

/** As a program without types may write them. */
const TOOLS = NAMES.map((name) => tool(name, (async () => RETURNED[name]?.[0]) as RunnableTool["run"]))

test("whatever a tool returns is sent to the model as text and reported to the builder", async () => {
  const root = workspace()
  const calls = NAMES.map((name) => [name, {}] as const)
  const from = await server([call(...calls, ["number", {}]), call(["number", {}]), say("Done."), say("Yes.")])
  const { agent } = await open(root, from, { tools: TOOLS })
  const { events, tell } = collect()
  const { session, state } = await agent.send("Look.", { tell })
  expect(state).toBe("answered")
  const results = transcript(root, session).filter((line) => /^(result|error): /.test(line))
  expect(results).toEqual([...NAMES.map((name) => RETURNED[name]?.[1]), "result: 42", "result: 42"])
  const findings = events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : []))
  const told = findings.flatMap((text) => /^The tool (.*)\. Tools return a string; /.exec(text)?.[1] ?? [])
  // Once a turn for each, however often it is called.
  expect(told.sort()).toEqual(NAMES.map((name) => `${name} returned ${RETURNED[name]?.[2]}`).sort())
  await agent.close()
  const again = await open(root, from)
  expect(await again.agent.send("And?")).toMatchObject({ state: "answered" })
  const rows = inRecord(root, (record) =>
    record.all("SELECT metadata FROM events WHERE event_type = 'diagnostic'"),
  )
  expect(rows.map(({ metadata }) => JSON.parse(String(metadata)))).toContainEqual({
    code: "tool-returned-no-text",
    tool: "object",
    text: "The tool object returned an object. Tools return a string; the model was sent the object as JSON.",
  })
})

test("a session continues that holds results which are no text", async () => {
  const root = workspace()
  const from = await server([call(["odd", {}]), say("Done."), say("Yes.")])
  const { agent } = await open(root, from, { tools: [tool("odd", async () => "MARK")] })
  const { session } = await agent.send("Look.")
  await agent.close()
  const readings: string[] = []
  for (const stored of [undefined, null, 7, { type: "Buffer", data: [104, 105] }, { a: 1 }]) {
    spoil(root, stored)
    const again = await open(root, from)
    expect(await again.agent.send("And?", { session })).toMatchObject({ state: "answered" })
    await again.agent.close()
    readings.push(transcript(root, session)[2] ?? "")
  }
  expect(readings).toEqual([NOTHING, NOTHING, "result: 7", "result: hi", 'result: {\n  "a": 1\n}'])
})

/** As earlier versions wrote it. */
function spoil(root: string, text: unknown): void {
  const database = openDatabase(join(root, ".incipit", "agent.db"), { migrations: STORE_MIGRATIONS })
  const [row] = database.all("SELECT id, item FROM items WHERE item LIKE '%tool-result%'")
  const item = JSON.parse(String(row?.item))
  item.message.parts[0].text = text
  database.run("UPDATE items SET item = ? WHERE id = ?", JSON.stringify(item), Number(row?.id))
  database.close()
}

test("a message that is not a string is refused at the door", async () => {
  const root = workspace()
  const from = await server([say("Hello."), say("Yes.")])
  const { agent } = await open(root, from)
  const { session } = await agent.send("Hi.")
  for (const message of [undefined, null, 7, { text: "x" }]) {
    // As a program without types may call it.
    const text = message as unknown as string
    await expect(agent.send(text)).rejects.toMatchObject({ code: "no-text" })
    await expect(agent.sendMessage(session, { by: "host", text })).rejects.toThrow("must be a string")
  }
  expect(await agent.send("And?")).toMatchObject({ state: "answered", text: "Yes." })
  expect(await agent.sessions()).toHaveLength(1)
})
