// Several processes with one database: one turn at a time and in order, whoever dies, whatever their clocks say, and while
// the database restarts.
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { bundled } from "../../bundled.ts"
import { NO_SERVER, schemaOf, testServer } from "../../database/postgres/postgres-server.ts"
import { call, open, server as provider, say, workspace } from "../world/agent-world.ts"
import type { Json } from "../world/servers/refusals.ts"
import type { Script } from "../world/servers/script.ts"
import type { ProviderServer } from "../world/servers/server.ts"
import { tools } from "./crash-worker.ts"

const PROGRAM = await bundled("test/agent/world/talk-worker.ts")
const COMPILED = mkdtempSync(join(tmpdir(), "incipit-compiled-"))
afterAll(() => rmSync(COMPILED, { recursive: true, force: true }))

interface Said {
  readonly asked: string
  readonly answer: string
  readonly session: string
}

interface Process {
  readonly child: ChildProcess
  ask(...texts: readonly string[]): Promise<readonly Said[]>
}

/** `offMs`: how wrong its clock is. */
async function start(root: string, from: ProviderServer, { url = "", offMs = 0 }): Promise<Process> {
  const wrong = `const real = Date.now; Date.now = () => real() + ${offMs}`
  const child = fork(PROGRAM, [root], {
    execArgv: [...process.execArgv, "--import", `data:text/javascript,${encodeURIComponent(wrong)}`],
    env: { ...process.env, ...from.env, NODE_COMPILE_CACHE: COMPILED, INCIPIT_DATABASE_URL: url },
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child, "message")
  return {
    child,
    ask(...texts) {
      const said: Said[] = []
      const all = new Promise<readonly Said[]>((done) => {
        child.on("message", (message) => {
          // The worker sends nothing else.
          said.push(message as Said)
          if (said.length === texts.length) done(said)
        })
      })
      for (const text of texts) child.send({ text })
      return all
    },
  }
}

function newest({ messages }: Json): string {
  return messages.at(-1).content.at(-1).text
}

const echo = ({ body }: { readonly body: Json }): Script => say(`You said: ${newest(body)}`)

/** The first request is answered with a call, once it is let go; the others at once. */
function lamps(): (request: { readonly body: Json; readonly calls: number }) => Script {
  return ({ body, calls }) => {
    if (body.messages.length > 1) return say(body.messages.length === 3 ? "It burns." : "Yes.")
    const light = call(["light", { lamp: `by request ${calls}` }])
    return calls === 1 && light.kind === "reply" ? { ...light, slow: true } : light
  }
}

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  const server = testServer()

  const transcript = async (url: string, session: string) => {
    const store = await openPostgresStore(url)
    onTestFinished(() => store.close())
    return (await store.transcripts.read(session)).map(({ item }) => {
      const { role, parts } = item.kind === "message" ? item.message : { role: item.kind, parts: [] }
      const last = parts.at(-1)
      return `${role}: ${last?.kind === "text" ? last.text : last?.kind}`
    })
  }

  test("three processes, one 90 s ahead and one 90 s behind, answer one session in order, each message once", async () => {
    const root = workspace()
    const from = await provider(echo)
    const url = server.newUrl()
    const clocks = [0, 90_000, -90_000]
    const processes = await Promise.all(clocks.map((offMs) => start(root, from, { url, offMs })))
    const texts = clocks.map((_, who) => [1, 2, 3].map((n) => `${who} says ${n}`))
    const said = await Promise.all(processes.map(({ ask }, who) => ask(...(texts[who] ?? []))))
    expect(said.map((list) => list.map(({ asked, answer }) => [asked, answer]))).toEqual(
      texts.map((list) => list.map((text) => [text, `You said: ${text}`])),
    )
    const lines = await transcript(url, said[0]?.[0]?.session ?? "")
    const asked = lines.filter((line) => line.startsWith("user: "))
    expect(lines).toEqual(
      asked.flatMap((line) => [line, `assistant: You said: ${line.slice("user: ".length)}`]),
    )
    expect(asked.length).toBe(9)
    // No request was made before the answer to the one before it was kept.
    const lengths = from.bodies.map((body) => JSON.parse(body).messages.length)
    expect(lengths).toEqual(Array.from({ length: 9 }, (_, at) => 2 * at + 1))
  })

  test("a process whose clock is 90 s ahead takes no other machine for gone that took a message just now", async () => {
    const root = workspace()
    const from = await provider(echo)
    const url = server.newUrl()
    const store = await openPostgresStore(url)
    onTestFinished(() => store.close())
    const { agent, late } = await open(root, from, { database: url, now: () => Date.now() + 90_000 })
    const { session } = await agent.send("first")
    await store.inbox.receive({
      ...{ id: "2", turn: "2", session, message: { text: "second" }, takenBy: "elsewhere:7:1:x" },
    })
    expect([await agent.resume(), late.length, (await store.inbox.message("2"))?.state]).toEqual([
      ...[[], 0, "waiting"],
    ])
    // As long ago as a lease lasts.
    await server.sql(`UPDATE ${schemaOf(url)}.inbox SET at = at - 31000 WHERE turn_id = '2'`)
    await agent.resume()
    expect([late.map(({ text }) => text), (await store.inbox.message("2"))?.state]).toEqual([
      ...[["You said: second"], "done"],
    ])
  })

  test("a process that is killed in a turn is continued by another, and no tool runs twice", async () => {
    const root = workspace()
    const from = await provider(lamps())
    const url = server.newUrl()
    const first = await start(root, from, { url })
    void first.ask("Light it.")
    await from.held()
    first.child.kill("SIGKILL")
    await once(first.child, "exit")
    const { agent, late } = await open(root, from, { tools: tools(root), database: url })
    const second = await agent.send("Does it burn?")
    expect([second.text, late.map(({ text }) => text)]).toEqual(["Yes.", ["It burns."]])
    expect(readFileSync(join(root, "acts"), "utf8")).toBe("light by request 2\n")
    expect(from.refusals).toEqual([])
  })

  test("a turn survives a restart of the database", async () => {
    const root = workspace()
    const from = await provider(lamps())
    const url = server.newUrl()
    const { agent } = await open(root, from, { tools: tools(root), database: url })
    const first = agent.send("Light it.")
    await from.held()
    await server.stop()
    from.release(Number.POSITIVE_INFINITY)
    await server.start()
    expect((await first).text).toBe("It burns.")
    expect((await agent.send("Does it burn?")).text).toBe("Yes.")
    expect(readFileSync(join(root, "acts"), "utf8")).toBe("light by request 1\n")
  })

  test("a turn that another process works on is stopped from here", async () => {
    const root = workspace()
    const from = await provider(lamps())
    const url = server.newUrl()
    const first = await start(root, from, { url })
    const said = first.ask("Light it.")
    await from.held()
    const { agent } = await open(root, from, { tools: tools(root), database: url })
    const [session] = await agent.sessions()
    expect(await agent.stop(session?.id ?? "")).toBe(1)
    expect((await said)[0]).toMatchObject({ state: "stopped" })
  })
})
