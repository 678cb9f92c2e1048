// `incipit mcp` over real pipes: what isn't a message, many requests at once, a client that doesn't read, and the end.
import { expect, test, vi } from "vitest"
import { type Answer, INITIALIZE, openStdio } from "./stdio-client.ts"

const FILES = {
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "memory/social/cable.md": "Jonas replaced the winch cable on Thursday.\n",
}

const id = (message: string) => ({ jsonrpc: "2.0", id: message })

test("what isn't a message is refused in a line, and the next message is answered", async () => {
  const client = openStdio({ files: FILES })
  await client.request("initialize", INITIALIZE)
  client.raw("\n\n{\n")
  client.raw(Uint8Array.of(0x22, 0xff, 0x22, 0x0a))
  client.raw("[]\n")
  client.raw('{"jsonrpc":"2.0","id":"half","method":7}\n')
  client.raw("null\n")
  client.raw(`"${"x".repeat(4_000_001)}"\n`)
  expect((await client.call("memory", { do: "search", query: "winch" })).result.isError).toBeUndefined()
  expect(client.answers.slice(1, -1)).toEqual([
    {
      ...id("x"),
      id: null,
      error: { code: -32_700, message: "This line isn't JSON. Each message is one line." },
    },
    { ...id("x"), id: null, error: { code: -32_700, message: "This line isn't UTF-8." } },
    { ...id("x"), id: null, error: { code: -32_600, message: "Send each message as a line of its own." } },
    { ...id("half"), error: { code: -32_600, message: "This isn't a JSON-RPC message." } },
    { ...id("x"), id: null, error: { code: -32_600, message: "This isn't a JSON-RPC message." } },
    { ...id("x"), id: null, error: { code: -32_600, message: "A message has at most 4000000 bytes." } },
  ])
})

test("1,000 requests at once each get their own answer, and input that ends is answered first", async () => {
  const client = openStdio({ files: FILES })
  const asked = Array.from({ length: 1_000 }, (_, at) => ({
    ...id(`call ${at}`),
    method: "tools/call",
    params:
      at % 2 === 0
        ? { name: "trace", arguments: { id: `no call ${at}` } }
        : { name: "memory", arguments: { do: "get", path: `social/no-${at}.md` } },
  }))
  client.send({ ...id("first"), method: "initialize", params: INITIALIZE })
  for (const one of asked) client.send(one)
  expect(await client.end()).toBe(0)
  const byId = new Map(client.answers.map((answer: Answer) => [answer.id, answer.result?.content?.[0].text]))
  expect(client.answers).toHaveLength(1_001)
  for (const [at, { id: own }] of asked.entries())
    expect(byId.get(own)).toContain(at % 2 === 0 ? `no call ${at}` : `no-${at}.md`)
  expect(client.stderr()).toBe("")
})

test("a client that asks and doesn't read is held back, and gets all its answers when it reads", async () => {
  const skill = `---\nname: knots\ndescription: Ties knots.\n---\n${"Tie a bowline. ".repeat(20_000)}\n`
  // All answers are 120 MB.
  const client = openStdio({
    files: { "skills/knots/SKILL.md": skill },
    env: { NODE_OPTIONS: "--max-old-space-size=96" },
    isStalled: true,
  })
  client.send({ ...id("first"), method: "initialize", params: INITIALIZE })
  const words = "for the boat ".repeat(200)
  const params = { name: "knots", arguments: { words } }
  for (let at = 0; at < 400; at += 1) client.send({ ...id(`prompt ${at}`), method: "prompts/get", params })
  const left = () => client.child.stdin?.writableLength ?? 0
  let last = -1
  let looks = 0
  // Until it takes nothing more.
  await vi.waitUntil(
    () => {
      looks = left() === last && client.child.stdout?.readableLength !== 0 ? looks + 1 : 0
      last = left()
      return looks === 10
    },
    { timeout: 120_000, interval: 100 },
  )
  expect(left()).toBeGreaterThan(0)
  client.read()
  expect(await client.end()).toBe(0)
  expect(client.answers).toHaveLength(401)
  const lengths = client.answers.slice(1).map((one: Answer) => one.result?.messages[0].content.text.length)
  expect(new Set(lengths).size).toBe(1)
})

test("a client that is gone, or that only goes on listening, ends the server", async () => {
  const client = openStdio({ files: FILES, isStalled: true })
  client.send({ ...id("first"), method: "initialize", params: INITIALIZE })
  client.child.stdout?.destroy()
  for (let at = 0; at < 10; at += 1) client.send({ ...id(`list ${at}`), method: "tools/list" })
  const code = await new Promise((resolve) => client.child.once("exit", resolve))
  expect([code, client.stderr()]).toEqual([0, ""])
})
