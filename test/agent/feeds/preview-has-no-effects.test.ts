// Looking at a prompt is not sending one. With every feeder on, previews, an opened chat and its `/context` send no
// request and leave the store, the record and the workspace byte for byte as they are.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Readable, Writable } from "node:stream"
import { expect, onTestFinished, test } from "vitest"
import type { RunningAgent } from "../../../src/agent/setup/agent.ts"
import { digest } from "../../../src/base/digest.ts"
import { chatInLines } from "../../../src/cli/chat/plain.ts"
import {
  type Clock,
  call,
  clock,
  inRecord,
  NIGHT,
  open,
  refuse,
  say,
  server,
  workspace,
  write,
} from "../world/agent-world.ts"
import { isAside } from "../world/scripted-model.ts"

const FEEDS = "signal, recall, tasks, workflow, communication, bulletin, noise, enrichment"
const FILES = {
  "incipit.yaml": `profile: incipit
environment: { host: off }
users: { bob: { trust: inner } }
feeds: { ${FEEDS.split(", ")
    .map((feed) => `${feed}: on`)
    .join(", ")} }
`,
  "memory/shared/LAMP.md": "# Lamp\n\n- **2026-06-12.** The lamp turns slowly: 31.5 seconds.\n",
  "workflows/evening.md": "# Evening round\n\n1. Trim the wick\n2. Wind the clockwork\n",
}
const HOUR = 3_600_000
const MESSAGE = "hey, how fast does the lamp turn tonight, can u look it up pls?"

/** Bytes of every file but the search index, a cache of memory's files, and SQLite's shared memory. */
/** Leaves out an empty log of SQLite, which comes and goes with the connections that look after a database. */
function bytesIn(root: string): Readonly<Record<string, string>> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^memory\.db|-shm$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    files.flatMap((path) => {
      const text = readFileSync(path, "latin1")
      return text === "" && path.endsWith("-wal") ? [] : [[path.slice(root.length), digest(text)]]
    }),
  )
}

/** A chat line by line, as with its output in a pipe. */
async function chat(agent: RunningAgent, lines: readonly string[]): Promise<string> {
  const shown: string[] = []
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  await chatInLines({
    // The agent stays open after the chat.
    open: async () => Object.assign(Object.create(agent), { close: async () => {} }),
    start: async () => ({ from: {}, session: undefined, isNew: false, isPlanning: false }),
    streams: { input: Readable.from(lines.map((line) => `${line}\n`)), output } as never,
    terminal: {
      ...{ out: (text: string) => void shown.push(text), exact: () => {}, err: () => {} },
      ...{ drained: async () => {}, columns: 80, colour: false, cwd: "/", home: "/", env: {} },
      ...{ timeZone: "UTC", now: () => NIGHT, stopped: () => new Promise(() => {}) },
    } as never,
  })
  return shown.join("")
}

/** Whatever was begun beside these is over, so that a request that they caused would have been made. */
async function look(agent: RunningAgent): Promise<string> {
  for (const text of ["", "hello", MESSAGE]) {
    await agent.preview(text)
    await agent.preview(text, { isNew: true, planMode: true })
    await agent.preview(text, { as: "bob" })
  }
  return chat(agent, ["/context", "/context"])
}

interface World {
  readonly root: string
  readonly time: Clock
  readonly requests: () => number
  readonly agent: RunningAgent
}

/** `before`: what an agent does that is closed then, so that nothing of it is under way any more. */
async function world(before: (agent: RunningAgent) => Promise<void> = async () => {}): Promise<World> {
  const root = workspace(FILES)
  const time = clock()
  const from = await server(({ body }) => say(isAside(body) ? "build direct" : "Yes."))
  const earlier = await open(root, from, { now: time.now, wait: time.wait })
  await before(earlier.agent)
  await earlier.agent.close()
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  return { root, time, agent, requests: () => from.sent.length + from.refusals.length }
}

/** Checked again once the agent is closed: by then nothing is under way any more. */
async function expectNothing({ agent, root, requests }: World, before = requests()): Promise<void> {
  await agent.record.flush()
  const bytes = bytesIn(root)
  expect(await look(agent)).toContain("signal")
  await agent.record.flush()
  expect([bytesIn(root), requests()]).toEqual([bytes, before])
  await agent.close()
  expect(requests()).toBe(before)
}

test("a prompt of an agent that was never talked to", async () => {
  await expectNothing(await world())
})

test("a prompt after a conversation, with tasks, a workflow, and memory that a new bulletin would be made of", async () => {
  const one = await world(async (agent) => {
    const { tasks, workflows } = agent.kept()
    await tasks.write({ title: "Oil the hinge" })
    await workflows.start("evening")
    for (const at of [1, 2, 3, 4]) await agent.send(`${MESSAGE} It is day ${at}.`)
  })
  expect(await bulletinIn(one.agent)).toContain("build direct")
  one.time.set(NIGHT + 2 * HOUR)
  write(one.root, "memory/shared/NEW.md", "# New\n\n- 2026-06-14: The mirror was cleaned.\n")
  await expectNothing(one)
})

test("a prompt of memory that no longer says what the bulletin says", async () => {
  const one = await world(async (agent) => void (await agent.send(MESSAGE)))
  expect(await bulletinIn(one.agent)).toContain("build direct")
  write(one.root, "memory/shared/LAMP.md", "# Lamp\n\nNothing.\n")
  await expectNothing(one)
})

test("a prompt of the offline model, which would list what memory holds", async () => {
  const root = workspace(FILES)
  const { agent } = await open(root, undefined, { now: () => NIGHT })
  expect(await bulletinIn(agent)).toContain("31.5 seconds")
  await expectNothing({ root, agent, time: clock(), requests: () => 0 })
})

async function bulletinIn(agent: RunningAgent): Promise<string> {
  const { tail } = await agent.preview("", { isNew: true })
  return /<bulletin>.*<\/bulletin>/s.exec(JSON.stringify(tail))?.[0] ?? ""
}

test("a preview shows how a person writes as the turn does, which counts its own message", async () => {
  const { agent } = await world()
  const sectionIn = (tail: unknown) => /<communication>.*<\/communication>/s.exec(JSON.stringify(tail))?.[0]
  const sections: unknown[] = []
  for (const at of [1, 2, 3, 4, 5, 6]) {
    const text = `${MESSAGE} It is day ${at}.`
    const previewed = sectionIn((await agent.preview(text)).tail)
    expect(previewed).toBe(sectionIn((await agent.send(text)).prompt?.tail))
    sections.push(previewed !== undefined)
  }
  expect(sections).toEqual([false, false, false, false, true, false])
})

test("no step and no answer waits for the bulletin, which the next turn shows", async () => {
  const root = workspace({ ...FILES, "incipit.yaml": "profile: incipit\nenvironment: { host: off }\n" })
  const from = await server(
    ({ body }) => (isAside(body) ? { kind: "stall" } : say("Yes.")),
    () => NIGHT,
  )
  const { agent } = await open(root, from, { now: () => NIGHT })
  onTestFinished(() => from.release(9))
  const first = await agent.send(MESSAGE)
  await from.held()
  const second = await agent.send("And tomorrow?")
  expect([first, second].map(({ prompt }) => JSON.stringify(prompt?.tail).includes("<bulletin>"))).toEqual([
    false,
    false,
  ])
  from.release()
  await expect.poll(() => bulletinIn(agent)).toContain("At last.")
  const third = await agent.send("And then?")
  expect(JSON.stringify(third.prompt?.tail)).toContain("At last.")
})

test("a message that is answered later is learned from once it is, and no bulletin is asked for before", async () => {
  const root = workspace({ ...FILES, "incipit.yaml": "profile: incipit\nenvironment: { host: off }\n" })
  const time = clock()
  let isDown = true
  const from = await server(({ body }) => (isDown ? refuse(529) : say(isAside(body) ? "In short." : "Yes.")))
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  await agent.send(MESSAGE)
  expect([
    await agent.kept().communication.show(),
    from.bodies.some((body) => isAside(JSON.parse(body))),
  ]).toEqual([undefined, false])
  isDown = false
  time.set(NIGHT + 2 * HOUR)
  await agent.resume()
  expect((await agent.kept().communication.show())?.messages).toBe(1)
  await expect.poll(() => bulletinIn(agent)).toContain("In short.")
})

test("a step that delegates does not wait for what the other agent's feeders would ask", async () => {
  const root = workspace({
    ...FILES,
    "agents/reader/SOUL.md": "You read.\n",
    "agents/reader/memory/shared/TIDES.md": "# Tides\n\n- 2026-06-12: High water at noon.\n",
  })
  const from = await server(({ body }) => {
    const text = JSON.stringify(body.messages)
    if (isAside(body)) return { kind: "stall" }
    if (text.includes("tool_result") || !text.includes("Ask the reader")) return say("At noon.")
    return call(["delegate", { agent: "reader", task: "When is high water at the pier today?" }])
  })
  const { agent } = await open(root, from, { now: () => NIGHT })
  onTestFinished(() => from.release(9))
  expect((await agent.send("Ask the reader when high water is.")).text).toBe("At noon.")
})

test("feeders that cannot write take nothing from the answer, and say so", async () => {
  const root = workspace(FILES)
  const { agent } = await open(root, undefined, { now: () => NIGHT })
  const driver = new DatabaseSync(join(root, ".incipit", "agent.db"))
  for (const table of ["communication", "bulletins"]) driver.exec(`DROP TABLE ${table}`)
  driver.close()
  const { state } = await agent.send(MESSAGE)
  await agent.close()
  const findings = inRecord(root, (record) =>
    record.all("SELECT error FROM events WHERE event_type = 'diagnostic' ORDER BY id"),
  ).map(({ error }) => error)
  expect([state, findings]).toEqual([
    "answered",
    ["communication", "bulletin", "communication"].map((feed) =>
      expect.stringMatching(`^${feed}: cannot use .*agent.db: no such table`),
    ),
  ])
})
