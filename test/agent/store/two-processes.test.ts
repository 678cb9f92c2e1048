// Several processes with one workspace. What goes into one session is worked off one after another, in the order in
// which it was taken in; sessions do not wait for each other; who was stopped too long has lost its session, who is dead
// at once.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { bundled } from "../../bundled.ts"
import { call, inStore, open, say, server, transcript, workspace } from "../world/agent-world.ts"
import type { Json } from "../world/servers/refusals.ts"
import type { Script } from "../world/servers/script.ts"
import type { ProviderServer } from "../world/servers/server.ts"
import type { Told } from "../world/talk-worker.ts"
import { tools } from "./crash-worker.ts"

const PEOPLE = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
users: { ada: { trust: full }, jonas: { trust: inner } }
`

const PROGRAM = await bundled("test/agent/world/talk-worker.ts")
const COMPILED = mkdtempSync(join(tmpdir(), "incipit-compiled-"))
afterAll(() => rmSync(COMPILED, { recursive: true, force: true }))

interface Said {
  readonly asked: string
  readonly state: string
  readonly answer: string
  readonly session: string
}

async function start(root: string, from: ProviderServer): Promise<ChildProcess> {
  const child = fork(PROGRAM, [root], {
    env: { ...process.env, ...from.env, NODE_COMPILE_CACHE: COMPILED },
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child, "message")
  return child
}

/** The answers, in the order in which they come. */
async function ask(child: ChildProcess, ...told: readonly Told[]): Promise<readonly Said[]> {
  const said: Said[] = []
  const all = new Promise<readonly Said[]>((done) => {
    child.on("message", (message) => {
      // The worker sends nothing else.
      said.push(message as Said)
      if (said.length === told.length) done(said)
    })
  })
  for (const one of told) child.send(one)
  return all
}

/** The words of the newest message. */
function newest({ messages }: Json): string {
  return messages.at(-1).content.at(-1).text
}

function words({ messages }: Json): readonly string[] {
  return messages.map(({ role, content }: Json) => `${role}: ${content.at(-1).text}`)
}

const echo = ({ body }: { readonly body: Json }): Script => say(`You said: ${newest(body)}`)

for (const count of [2, 4])
  test(`${count} processes send into one session at once`, async () => {
    const root = workspace()
    const from = await server(echo)
    const children = await Promise.all(Array.from({ length: count }, () => start(root, from)))
    const told = children.map((_child, who) => [1, 2, 3].map((n) => ({ text: `${who} says ${n}` })))
    const said = await Promise.all(children.map((child, who) => ask(child, ...(told[who] ?? []))))
    // Each has its own answers, in the order of its messages.
    expect(said.map((list) => list.map(({ asked, answer }) => [asked, answer]))).toEqual(
      told.map((list) => list.map(({ text }) => [text, `You said: ${text}`])),
    )
    const [first] = said.flat()
    const taken = inStore(root, (store) => store.all("SELECT message FROM inbox ORDER BY id")).map(
      ({ message }) => JSON.parse(String(message)).text,
    )
    expect(taken.length).toBe(3 * count)
    expect(transcript(root, first?.session ?? "")).toEqual(
      taken.flatMap((text) => [`user: ${text}`, `assistant: You said: ${text}`]),
    )
    // No request was made before the answer to the one before it was kept.
    const asked = from.bodies.map((body) => words(JSON.parse(body)))
    expect(asked.length).toBe(3 * count)
    for (const [at, list] of asked.entries()) expect(list.length).toBe(2 * at + 1)
  })

test("sessions of different people are worked on at the same time", async () => {
  const root = workspace({ "incipit.yaml": PEOPLE })
  const from = await server((request) => ({ ...echo(request), slow: true }) as Script)
  const [ada, jonas] = await Promise.all([start(root, from), start(root, from)])
  const both = Promise.all([
    ask(ada, { text: "It is Ada.", options: { as: "ada" } }),
    ask(jonas, { text: "It is Jonas.", options: { as: "jonas" } }),
  ])
  // Neither is answered before both have asked.
  await until(() => from.bodies.length === 2)
  from.release(Number.POSITIVE_INFINITY)
  expect((await both).flat().map(({ answer }) => answer)).toEqual([
    "You said: It is Ada.",
    "You said: It is Jonas.",
  ])
})

const LEASE_OVER_MS = 31_000

/** The first message is answered with a call, once its request is let go; the second one at once. */
function lamps(): (request: { readonly body: Json; readonly calls: number }) => Script {
  return ({ body, calls }) => {
    const isFirst = body.messages.length === 1
    if (!isFirst) return say(body.messages.length === 3 ? "It burns." : "Yes.")
    const light = call(["light", { lamp: `by request ${calls}` }])
    return calls === 1 && light.kind === "reply" ? { ...light, slow: true } : light
  }
}

test("a stopped process whose lease ran out acts no more and writes nothing; it gives the answer that the other made", async () => {
  const root = workspace()
  const from = await server(lamps())
  const child = await start(root, from)
  const first = ask(child, { text: "Light it." })
  await from.held()
  child.kill("SIGSTOP")
  const { agent } = await open(root, from, { tools: tools(root), now: () => Date.now() + LEASE_OVER_MS })
  const second = await agent.send("Does it burn?")
  await agent.close()
  from.release(Number.POSITIVE_INFINITY)
  child.kill("SIGCONT")
  const [said] = await first
  expect([second.text, said?.answer]).toEqual(["Yes.", "It burns."])
  expect(transcript(root, second.session)).toEqual([
    "user: Light it.",
    'calls light {"lamp":"by request 2"}',
    "result: light by request 2: done",
    "assistant: It burns.",
    "user: Does it burn?",
    "assistant: Yes.",
  ])
  expect(readFileSync(join(root, "acts"), "utf8")).toBe("light by request 2\n")
  expect(from.refusals).toEqual([])
})

test("as long as the lease holds, a stopped process is waited for", async () => {
  const root = workspace()
  const from = await server(lamps())
  const child = await start(root, from)
  const first = ask(child, { text: "Light it." })
  await from.held()
  child.kill("SIGSTOP")
  const { agent } = await open(root, from, { tools: tools(root) })
  const second = agent.send("Does it burn?")
  await until(() => inStore(root, (store) => store.all("SELECT id FROM inbox")).length === 2)
  child.kill("SIGCONT")
  from.release(Number.POSITIVE_INFINITY)
  expect([(await first)[0]?.answer, (await second).text]).toEqual(["It burns.", "Yes."])
  expect(readFileSync(join(root, "acts"), "utf8")).toBe("light by request 1\n")
})

test("a dead process is not waited for, whatever its lease says", async () => {
  const root = workspace()
  const from = await server(lamps())
  const child = await start(root, from)
  void ask(child, { text: "Light it." })
  await from.held()
  child.kill("SIGKILL")
  await once(child, "exit")
  const store = openDatabase(join(root, ".incipit", "agent.db"), { migrations: STORE_MIGRATIONS })
  store.run("UPDATE sessions SET lease = lease + 3600000")
  store.close()
  const { agent, late } = await open(root, from, { tools: tools(root) })
  const second = await agent.send("Does it burn?")
  expect(second.text).toBe("Yes.")
  // What nobody waits for any more is handed over before what comes after it.
  expect(late.map(({ text }) => text)).toEqual(["It burns."])
})

test("who stops while another process has the session need not wait, and is not answered later", async () => {
  const root = workspace()
  const from = await server(lamps())
  const child = await start(root, from)
  const first = ask(child, { text: "Light it." })
  await from.held()
  const { agent, late } = await open(root, from, { tools: tools(root) })
  const stop = new AbortController()
  const second = agent.send("Never mind.", { signal: stop.signal })
  await until(() => inStore(root, (store) => store.all("SELECT id FROM inbox")).length === 2)
  stop.abort()
  expect(await second).toMatchObject({
    state: "stopped",
    text: "Stopped: no answer was written yet.",
    steps: 0,
  })
  from.release(Number.POSITIVE_INFINITY)
  const [said] = await first
  expect(said?.answer).toBe("It burns.")
  expect(await agent.resume()).toEqual([])
  expect(late).toEqual([])
  expect(transcript(root, said?.session ?? "").at(-1)).toBe("assistant: It burns.")
})

test("two agents of one process are as foreign to each other as two processes", async () => {
  const root = workspace()
  const from = await server(echo)
  const [a, b] = [await open(root, from), await open(root, from)]
  const replies = await Promise.all([a, b, a, b].map(({ agent }, at) => agent.send(`message ${at}`)))
  expect(replies.map(({ text }) => text)).toEqual([0, 1, 2, 3].map((at) => `You said: message ${at}`))
  const asked = from.bodies.map((body) => words(JSON.parse(body)))
  for (const [at, list] of asked.entries()) expect(list.length).toBe(2 * at + 1)
})

test("what was taken in on another machine is taken over when nothing was heard of it for as long as a lease", async () => {
  const root = workspace()
  const from = await server(echo)
  const child = await start(root, from)
  const taken = await ask(child, { text: "first" })
  child.kill("SIGKILL")
  // As if that had been elsewhere, and had ended before the answer was handed over, and in the middle of the next.
  const database = openDatabase(join(root, ".incipit", "agent.db"), { migrations: STORE_MIGRATIONS })
  const [before] = database.all("SELECT * FROM inbox")
  database.run("UPDATE inbox SET taken_by = 'elsewhere:7:1:x'")
  database.run("UPDATE outbox SET sent_at = NULL")
  database.run(
    "INSERT INTO inbox (message_id, session_id, turn_id, at, message, taken_by, state) VALUES ('2', ?, '2', ?, ?, 'elsewhere:7:1:x', 'working')",
    ...[before?.session_id ?? "", Date.now(), JSON.stringify({ text: "second" })],
  )
  database.close()
  let later = 0
  const { agent, late } = await open(root, from, { now: () => Date.now() + later })
  expect(await agent.resume()).toEqual([])
  later = LEASE_OVER_MS
  await agent.resume()
  expect(late.map(({ text }) => text)).toEqual(["You said: first", "You said: second"])
  expect(transcript(root, taken[0]?.session ?? "")).toEqual([
    "user: first",
    "assistant: You said: first",
    "user: second",
    "assistant: You said: second",
  ])
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 10))
}
