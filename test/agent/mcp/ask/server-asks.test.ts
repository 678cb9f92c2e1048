// What a server asks while one of its tools runs, over stdio and HTTP, in both protocols: who is asked, what they see, and
// what the server gets.
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Mcp } from "../../../../src/agent/mcp/mcp.ts"
import type { ToolHost } from "../../../../src/tools/host.ts"
import type { ServerAnswer, ServerQuestion } from "../../../../src/tools/server-question.ts"
import { IS_LONG } from "../../../long.ts"
import { openHttp, openStateless } from "../mcp-over-http.ts"
import { enterWorld, type World } from "../mcp-world.ts"
import { addAskingTools } from "./asking-tools.ts"

let world: World
const ends: (() => Promise<void>)[] = []
beforeEach(() => {
  world = enterWorld()
})
afterEach(async () => {
  await world.leave()
  await Promise.all(ends.splice(0).map((end) => end()))
})

const ALL_WAYS = ["old stdio", "new stdio", "old HTTP", "new HTTP"] as const
/** Each protocol and each transport once. */
const WAYS = IS_LONG ? ALL_WAYS : (["old stdio", "new HTTP"] as const)

async function open(way: (typeof ALL_WAYS)[number], more: object = {}): Promise<Mcp> {
  const [era = "", over] = way.split(" ")
  const program = { command: process.execPath, args: [resolve("test/agent/mcp/ask/asking-server.ts"), era] }
  const http = over === "HTTP" ? await (era === "old" ? openHttp : openStateless)(addAskingTools) : undefined
  if (http !== undefined) ends.push(() => http.close())
  const mcp = world.open({ boats: { ...(http === undefined ? program : { url: http.url }), ...more } })
  await mcp.settled
  expect(world.troubles()).toEqual([])
  return mcp
}

interface Run {
  readonly said: string
  readonly asked: readonly ServerQuestion[]
  readonly progress: readonly string[]
}

async function run(mcp: Mcp, name: string, answer: ServerAnswer = { action: "decline" }): Promise<Run> {
  const asked: ServerQuestion[] = []
  const progress: string[] = []
  const host: Partial<ToolHost> = {
    async ask(question) {
      asked.push(question)
      return answer
    },
    progress: (text) => void progress.push(text),
  }
  const said = await world.run(mcp, name, {}, { host: host as ToolHost })
  return { said: said.split("\n")[1] ?? said, asked, progress }
}

test.each(WAYS)("a form is asked and its values are the server's (%s)", async (way) => {
  const mcp = await open(way)
  const content = { name: "Ada", boats: 2, sure: false }
  const { said, asked } = await run(mcp, "order", { action: "accept", content })
  expect(asked).toEqual([
    {
      kind: "form",
      server: "boats",
      message: "For the crossing.",
      fields: [
        { kind: "text", name: "name", title: "Your name", isRequired: true, least: 2 },
        {
          kind: "number",
          isWhole: true,
          name: "boats",
          title: "boats",
          isRequired: false,
          least: 1,
          most: 3,
        },
        {
          ...{ kind: "choice", isMany: false, name: "coast", title: "coast", isRequired: false },
          options: [
            { value: "n", title: "North" },
            { value: "s", title: "South" },
          ],
        },
        { kind: "yes-no", name: "sure", title: "sure", isRequired: false, default: true },
      ],
    },
  ])
  expect(JSON.parse(said)).toEqual({ action: "accept", content })
  expect(JSON.parse((await run(mcp, "order")).said)).toEqual({ action: "decline" })
  expect(JSON.parse((await run(mcp, "order", { action: "cancel" })).said)).toEqual({ action: "cancel" })
})

test.each(WAYS)(
  "a page is shown, one that is not safe is not, and no password is asked for (%s)",
  async (way) => {
    const mcp = await open(way)
    const yes: ServerAnswer = { action: "accept", content: {} }
    const { said, asked } = await run(mcp, "page", yes)
    expect(asked).toEqual([
      { kind: "page", server: "boats", message: "To pay.", url: "https://pay.example.org/4711" },
    ])
    expect(JSON.parse(said)).toMatchObject({ action: "accept" })
    const refused = []
    for (const name of ["unsafe", "disguised", "secret"]) refused.push(await run(mcp, name, yes))
    expect(refused.map((one) => [JSON.parse(one.said), one.asked])).toEqual([
      [{ action: "decline" }, []],
      [{ action: "decline" }, []],
      [{ action: "decline" }, []],
    ])
    expect(world.told()).toEqual([
      "warn boats: asked a question that was declined: its page is not https",
      "warn boats: asked a question that was declined: the URL of its page has a user name in it",
      'warn boats: asked a question that was declined: its form asks for "apiKey", which looks like a password or a key',
    ])
  },
)

test.each(WAYS)("a call that nobody can be asked about is answered without them (%s)", async (way) => {
  const mcp = await open(way)
  const said = await world.run(mcp, "order")
  expect(JSON.parse(said.split("\n")[1] ?? "")).toEqual({ action: "cancel" })
  expect(world.told()).toEqual([
    "warn boats: asked a question that was declined: it is not clear whose call it is about",
  ])
})

test.each(WAYS)("a question reaches the person whose call it is, or nobody (%s)", async (way) => {
  const mcp = await open(way)
  const asked: string[] = []
  const { promise: both, resolve: bothRun } = Promise.withResolvers<void>()
  const hostOf = (session: string): ToolHost => {
    const host: Partial<ToolHost> = {
      async ask() {
        asked.push(session)
        if (asked.length === 2) bothRun()
        await Promise.race([both, new Promise((done) => setTimeout(done, 300))])
        return { action: "accept", content: { name: session } }
      },
    }
    return host as ToolHost
  }
  const said = await Promise.all(
    ["ada", "bob"].map((session) => world.run(mcp, "order", {}, { session, host: hostOf(session) })),
  )
  const got = said.map((text) => JSON.parse(text.split("\n")[1] ?? ""))
  // A program mixes everything in one stream, which does not say whose call a question is about.
  for (const [at, session] of ["ada", "bob"].entries())
    expect([{ action: "accept", content: { name: session } }, { action: "cancel" }]).toContainEqual(got[at])
  if (way.includes("HTTP"))
    expect(got).toEqual(["ada", "bob"].map((name) => ({ action: "accept", content: { name } })))
})

test.each(WAYS)(
  "the workspace is announced to a program, and to a service only on demand (%s)",
  async (way) => {
    const uri = pathToFileURL(world.folder).href
    const isProgram = way.includes("stdio")
    const asked = await run(await open(way, isProgram ? {} : { roots: true }), "folders")
    expect(JSON.parse(asked.said)).toEqual({ roots: [{ uri }] })
    const silent = await run(await open(way, isProgram ? { roots: false } : {}), "folders")
    expect(silent.said).not.toContain(world.folder)
  },
)

test.each(WAYS)("progress is shown and gives a call more time (%s)", { timeout: 60_000 }, async (way) => {
  const mcp = await open(way, { timeout: "2s" })
  const { said, progress } = await run(mcp, "row")
  expect(said).toBe('"over"')
  // What comes together with the result may be too late to show.
  expect([progress.length >= 20, progress[0], progress[14]]).toEqual([true, "3%: stroke 1", "50%: stroke 15"])
})
