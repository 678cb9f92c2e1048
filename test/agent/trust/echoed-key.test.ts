// A key of the agent's own that comes back, whoever sends it: in an answer, an error, a tool's result, a file, a command.
// It reaches no sink: neither database, nor the log, nor a collector, nor who listens, nor the provider again.
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { AgentOptions } from "../../../src/agent/setup/agent.ts"
import type { LiveEvent } from "../../../src/agent/turn/live-event.ts"
import { bodyText } from "../../../src/database/sqlite/record/text-links.ts"
import { inFile } from "../../record/in-file.ts"
import { approveServers, call, clock, open, say, server, tool, workspace } from "../world/agent-world.ts"
import type { Script } from "../world/servers/script.ts"

// Put together here, so that no scanner takes this file for a leak. Of no known form.
const KEY = ["Zq7", "w9+Rk/3mTx", "Lp0-vB5n"].join("_")
const OTHER = ["hX4", "pW8sQ1", "gF6yN2"].join("~")

interface World {
  readonly root: string
  readonly told: LiveEvent[]
  readonly logs: string[]
  readonly spans: string[]
  readonly sent: readonly string[]
  readonly agent: Awaited<ReturnType<typeof open>>["agent"]
  readonly notices: readonly string[]
}

async function world(
  scripts: readonly Script[],
  options: Partial<AgentOptions> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<World> {
  const spans: string[] = []
  const endpoint = await collector(spans)
  const config = `profile: incipit\nfeeds: { communication: off }\nenvironment: { host: off }\nusers: { bob: { trust: public } }\nrecord: { otlp: { endpoint: "${endpoint}", content: true } }\n`
  const root = workspace({ "incipit.yaml": config, ...files })
  approveServers(root, join(root, "no-home"))
  const from = await server(scripts)
  const logs: string[] = []
  const env = { ...from.env, ANTHROPIC_API_KEY: KEY, MY_SERVICE_TOKEN: OTHER, PATH: process.env.PATH ?? "" }
  const { agent, notices } = await open(root, undefined, {
    ...{ env, model: "anthropic/claude-sonnet-5-5", wait: clock().wait },
    log: { write: (text) => logs.push(text), level: "debug", isTerminal: true },
    ...options,
  })
  return { root, told: [], logs, spans, sent: from.bodies, agent, notices }
}

async function collector(bodies: string[]): Promise<string> {
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString())
      response.end("{}")
    })
  })
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done))
  onTestFinished(() => void http.close())
  // A server that listens on a port has one.
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

/** Everything that was written, told or sent, by where it went. The databases as they lie on the disk, logs and all. */
async function sinksOf(
  { root, told, logs, spans, sent, agent, notices }: World,
  ...more: readonly unknown[]
) {
  const folder = join(root, ".incipit")
  const raw = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("latin1")] as const)
  const open = raw()
  // Long texts are packed, so that the file alone does not show them.
  const texts = inFile(agent.record, (database) =>
    database.all("SELECT bytes, body FROM texts").map((row) => bodyText(row) ?? ""),
  )
  const rows = inFile(agent.record, (database) => JSON.stringify(database.all("SELECT * FROM events")))
  await agent.close()
  expect([logs.length, spans.length, sent.length, texts.length].every((count) => count > 0)).toBe(true)
  return {
    texts: texts.join("\n"),
    ...Object.fromEntries(open),
    ...Object.fromEntries(raw().map(([name, text]) => [`${name} at the end`, text])),
    told: JSON.stringify(told),
    logs: logs.join(""),
    spans: spans.join(""),
    sent: sent.join(""),
    notices: notices.join(""),
    rows,
    more: JSON.stringify(more),
  }
}

/** Runs of eight characters of a value, as it is or encoded. */
function leaks(sinks: Readonly<Record<string, string>>): readonly string[] {
  const forms = [KEY, OTHER].flatMap((value) => [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString("base64").replace(/=+$/, ""),
  ])
  const pieces = forms.flatMap((form) =>
    Array.from({ length: form.length - 9 }, (_, at) => form.slice(at, at + 10)),
  )
  return Object.entries(sinks).flatMap(([name, text]) =>
    pieces.some((piece) => text.includes(piece)) ? [name] : [],
  )
}

test("in the words of an answer, piece by piece, in its thoughts, and in what it calls a tool with", async () => {
  const scripts: readonly Script[] = [
    {
      kind: "reply",
      parts: [
        { reasoning: `The key is ${KEY}.` },
        { text: `Your key is ${KEY} or ${OTHER}.` },
        { call: { name: "note", input: { text: `remember ${KEY}`, [OTHER]: [KEY] } } },
      ],
    },
    say(`It is ${KEY}, ${encodeURIComponent(KEY)}, ${Buffer.from(`u:${KEY}`).toString("base64")}.`),
  ]
  const inputs: unknown[] = []
  const note = tool("note", async (input) => {
    inputs.push(input)
    return "noted"
  })
  const found = await world(scripts, { tools: [note] })
  const reply = await found.agent.send("What is your key?", { tell: (event) => found.told.push(event) })
  expect(reply.text).toContain("It is [redacted:key], [redacted:key],")
  expect(inputs).toEqual([{ text: "remember [redacted:key]", "[redacted:key]": ["[redacted:key]"] }])
  expect(leaks(await sinksOf(found, reply, inputs))).toEqual([])
})

test("in what tools find: a file, a command, a program's own tool, a failure of one", async () => {
  const scripts: readonly Script[] = [
    call(
      ["read", { path: "notes.txt" }],
      ["shell", { command: `cat notes.txt; base64 notes.txt; echo >&2 again; cat notes.txt` }],
      ["give", {}],
      ["fail", {}],
      ["notify_user", { text: `look: ${KEY}` }],
      ["task_write", { title: `rotate ${OTHER}` }],
      ["memory_write", { text: `The key is ${KEY}.` }],
    ),
    say("Done."),
  ]
  const tools = [
    tool("give", async () =>
      JSON.stringify({ key: KEY, url: `https://x.test/?k=${encodeURIComponent(OTHER)}` }),
    ),
    tool("fail", async () => {
      throw new Error(`no access with ${KEY}`)
    }),
  ]
  const found = await world(scripts, { tools }, { "notes.txt": `one\n${KEY}\n${OTHER}\n` })
  const reply = await found.agent.send("Look around.", { tell: (event) => found.told.push(event) })
  expect(reply.state).toBe("answered")
  const results = found.told.filter((event) => event.kind === "tool-finished")
  expect(results.map(({ name, text }) => [name, text.includes("[redacted:key]")])).toEqual(
    expect.arrayContaining([
      ["read", true],
      ["shell", true],
      ["give", true],
      ["fail", true],
    ]),
  )
  expect(results.find(({ name }) => name === "memory_write")?.text).toContain("redacted parts")
  expect(leaks(await sinksOf(found, reply))).toEqual([])
})

test.each([400, 401, 429, 500])("in an error of the provider, with status %i", async (status) => {
  const body = {
    type: "error",
    error: {
      type: "some_error",
      message: `Incorrect API key provided: ${KEY} (Authorization: Bearer ${KEY})`,
    },
  }
  const found = await world([{ kind: "error", status, body }])
  const reply = await found.agent.send("Hi.", { tell: (event) => found.told.push(event) })
  expect(["failed", "queued"]).toContain(reply.state)
  expect(reply.text).toContain("[redacted:key]")
  expect(leaks(await sinksOf(found, reply))).toEqual([])
})

test("in an answer that breaks off in the middle of it", async () => {
  const parts = [
    { text: `It is ${KEY.slice(0, 14)}` },
    { error: { type: "api_error", message: `bad ${KEY}` } },
  ]
  const found = await world([{ kind: "reply", parts }])
  const reply = await found.agent.send("Hi.", { tell: (event) => found.told.push(event) })
  expect(leaks(await sinksOf(found, reply))).toEqual([])
})

test("in what people write: messages, commands of their own, files of the workspace, messages of a host", async () => {
  const found = await world(
    [say("Yes.")],
    {},
    {
      "SOUL.md": `You keep the key ${KEY}.\n`,
      "AGENTS.md": `${OTHER}\n`,
      // Read for the session, not for the agent.
      "CLAUDE.local.md": `The lamp opens with ${KEY}.\n`,
    },
  )
  const reply = await found.agent.send(`Is ${KEY} my key?`, { tell: (event) => found.told.push(event) })
  const ran = await found.agent.shell(`echo ${KEY}`, { isSent: true })
  await found.agent.sendMessage(reply.session, {
    by: "host",
    text: `the token is ${OTHER}`,
    data: { token: OTHER },
  })
  const next = await found.agent.send("And now?", { tell: (event) => found.told.push(event) })
  const preview = await found.agent.preview(`Is it ${KEY.slice(0, 5)}?`)
  expect(ran.text).toBe("[redacted:key]")
  for (const text of ["Is [redacted:key] my key?", "The lamp opens with [redacted:key]."])
    expect(found.sent.join("")).toContain(text)
  expect(leaks(await sinksOf(found, reply, ran, next, preview))).toEqual([])
})
