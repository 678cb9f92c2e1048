// What `incipit proxy` adds to a call, compared with a bare Node pass-through in the same run: 10,000 requests, 200 at
// once, with every request and response compared by digest, and with clients and providers that disconnect. The provider,
// both proxies and the generator are processes of their own. About a minute and a half; --short for a tenth. Exits with 1
// if a target is missed.
import { type ChildProcess, fork } from "node:child_process"
import { createHash, randomBytes, randomInt } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { scriptOptions } from "../scripts/script-options.ts"
import { openCaptures } from "../src/capture/keep/open-captures.ts"
import { openCapturingProxy } from "../src/capture/proxy/capturing-proxy.ts"
import { createRoute } from "../src/capture/proxy/upstream.ts"
import { captureFiles } from "../src/files/paths.ts"
import { checkTargets, formatMs, machine, median, printTable } from "./measure/measure.ts"

const AT_ONCE = 200
const HELD_MS = 400
const MOST_ADDED_MS = 0.5
const MOST_TIMES = 2
/** One in so many requests is ended by its client, and one by the provider. */
const ENDED = 40

const values = scriptOptions("node bench/proxy.ts [--short]", {
  role: { type: "string" },
  to: { type: "string" },
  short: { type: "boolean", default: false },
})
const ROLES: Readonly<Record<string, () => Promise<void>>> = { provider, bare, ours }
const role = values.role === undefined ? generate : ROLES[values.role]
await role?.()

/** Holds each answer for a while, and says what arrived and what it sends. */
async function provider(): Promise<void> {
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const start = performance.now()
    const arrived = createHash("sha256").update(ownHeaders(incoming.rawHeaders))
    incoming.on("data", (chunk: Buffer) => arrived.update(chunk))
    incoming.on("end", () => {
      const digest = arrived.digest("hex")
      setTimeout(() => {
        const body = answerOf(digest)
        outgoing.writeHead(200, {
          "content-type": "text/event-stream",
          "x-arrived": digest,
          "x-sent": sha(body),
        })
        outgoing.write(body.slice(0, body.length / 2))
        if (incoming.headers["x-breaks"] !== undefined) return void setTimeout(() => outgoing.destroy(), 5)
        const held = performance.now() - start
        outgoing.end(body.slice(body.length / 2))
        process.send?.({ id: incoming.headers["x-id"], held })
      }, HELD_MS)
    })
  })
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }))
}

function answerOf(digest: string): string {
  const usage = { input_tokens: 900, output_tokens: 1, cache_read_input_tokens: 100 }
  const message = { id: `msg_${digest.slice(0, 24)}`, type: "message", model: "claude-sonnet-5-5", usage }
  const delta = { type: "content_block_delta", delta: { type: "text_delta", text: "word ".repeat(20) } }
  const events = [{ type: "message_start", message }, ...Array.from({ length: 20 }, () => delta)]
  return [...events, { type: "message_stop" }].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")
}

/** The least that forwards a request with Node. */
async function bare(): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const sent = request(new URL(url ?? "", values.to), { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on("error", () => outgoing.destroy())
    })
    sent.on("error", () => outgoing.destroy())
    outgoing.on("close", () => sent.destroy())
    incoming.pipe(sent)
  })
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }))
}

async function ours(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-bench-proxy-"))
  const captures = openCaptures({
    ...{
      files: captureFiles(folder),
      variables: {},
      now: Date.now,
      priceOf: () => null,
      metadataOnly: false,
    },
  })
  const route = createRoute({ all: values.to })
  const proxy = await openCapturingProxy({ port: 0, route, captures, now: Date.now })
  process.send?.({ port: proxy.port })
  process.on("message", async () => {
    await proxy.close()
    await captures.close()
    rmSync(folder, { recursive: true, force: true })
    process.send?.({ counts: proxy.counts() }, () => process.exit(0))
  })
}

interface Started {
  readonly child: ChildProcess
  readonly url: string
}

async function start(name: string, to = ""): Promise<Started> {
  const child = fork(import.meta.filename, ["--role", name, "--to", to])
  // The first message is the port.
  const [{ port }] = (await once(child, "message")) as [{ readonly port: number }]
  return { child, url: `http://127.0.0.1:${port}` }
}

interface Tally {
  readonly added: number[]
  wrong: number
  failed: number
  ended: number
}

async function generate(): Promise<void> {
  const all = values.short ? 1_000 : 10_000
  const rounds = 10
  const upstream = await start("provider")
  const held = new Map<string, (ms: number) => void>()
  upstream.child.on("message", ({ id, held: ms }: { readonly id: string; readonly held: number }) =>
    held.get(id)?.(ms),
  )
  const ways = {
    direct: upstream,
    bare: await start("bare", upstream.url),
    ours: await start("ours", upstream.url),
  }
  const tallies = { direct: tally(), bare: tally(), ours: tally() }
  for (let round = 0; round < rounds; round += 1)
    for (const name of ["direct", "bare", "ours"] as const)
      await ask(ways[name].url, all / rounds, tallies[name], held)
  ways.ours.child.send("stop")
  const [{ counts }] = (await once(ways.ours.child, "message")) as [
    { readonly counts: Record<string, number> },
  ]
  for (const { child } of [ways.bare, upstream]) child.kill()
  report(tallies, counts, all)
}

function tally(): Tally {
  return { added: [], wrong: 0, failed: 0, ended: 0 }
}

async function ask(
  url: string,
  count: number,
  sums: Tally,
  held: Map<string, (ms: number) => void>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  let left = count
  const worker = async (at: number) => {
    // Spread over the time that an answer takes, as calls of many clients are.
    await new Promise((done) => setTimeout(done, (at / AT_ONCE) * HELD_MS))
    while (left > 0) {
      left -= 1
      await one(url, agent, sums, held)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => worker(at)))
  agent.destroy()
}

async function one(
  url: string,
  agent: Agent,
  sums: Tally,
  held: Map<string, (ms: number) => void>,
): Promise<void> {
  const id = randomBytes(8).toString("hex")
  const text = randomBytes(randomInt(500, 8_000)).toString("base64")
  const body = JSON.stringify({ model: "claude-sonnet-5-5", messages: [{ role: "user", content: text }] })
  const breaks = randomInt(ENDED) === 0
  const leaves = !breaks && randomInt(ENDED) === 0
  const headers = [
    "Host",
    new URL(url).host,
    "X-Id",
    id,
    "x-api-key",
    "k",
    "Content-Type",
    "application/json",
  ]
  const raw = [
    ...headers,
    ...(breaks ? ["x-breaks", "1"] : []),
    "Content-Length",
    String(Buffer.byteLength(body)),
  ]
  const known = new Promise<number>((done) => held.set(id, done))
  const begin = performance.now()
  try {
    const asked = request(`${url}/v1/messages`, { method: "POST", agent, headers: raw })
    asked.end(body)
    const [answer] = (await once(asked, "response")) as [IncomingMessage]
    const arrived = createHash("sha256").update(ownHeaders(raw)).update(body).digest("hex")
    if (answer.headers["x-arrived"] !== arrived) sums.wrong += 1
    const got = createHash("sha256")
    for await (const chunk of answer) {
      got.update(chunk as Buffer)
      if (leaves) break
    }
    if (leaves) {
      sums.ended += 1
      return
    }
    const took = performance.now() - begin
    if (breaks || got.digest("hex") !== answer.headers["x-sent"]) sums.wrong += 1
    sums.added.push(took - (await known))
  } catch {
    if (breaks) sums.ended += 1
    else sums.failed += 1
  } finally {
    held.delete(id)
  }
}

/** Everything but what is about one connection. */
function ownHeaders(raw: readonly string[]): string {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1]] as const] : []))
  return JSON.stringify(pairs.filter(([name]) => !/^(?:host|connection|keep-alive)$/i.test(name)))
}

function sha(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

function report(tallies: Readonly<Record<string, Tally>>, counts: Record<string, number>, all: number): void {
  const base = median(tallies.direct?.added ?? [])
  console.log(`## The proxy, ${all} requests, ${AT_ONCE} at once: ${machine()}\n`)
  printTable(
    ["", "median", "added", "wrong bytes", "failed", "disconnects"],
    Object.entries(tallies).map(([name, { added, wrong, failed, ended }]) => [
      ...[name, formatMs(median(added)), formatMs(median(added) - base)],
      ...[wrong, failed, ended].map(String),
    ]),
  )
  console.log(`Kept by the proxy: ${JSON.stringify(counts)}\n`)
  const ours = median(tallies.ours?.added ?? []) - base
  const bareMs = median(tallies.bare?.added ?? []) - base
  const { wrong = 1, failed = 1 } = tallies.ours ?? {}
  const times = ours / bareMs
  checkTargets([
    { what: "wrong bytes through the proxy", bound: "0", measured: String(wrong), holds: wrong === 0 },
    { what: "failed requests", bound: "0", measured: String(failed), holds: failed === 0 },
    {
      what: "median added",
      bound: `under ${MOST_ADDED_MS} ms`,
      measured: formatMs(ours),
      holds: ours < MOST_ADDED_MS,
    },
    {
      what: "compared with a bare pass-through",
      bound: `at most ${MOST_TIMES} ×`,
      measured: `${times.toFixed(2)} ×`,
      holds: times <= MOST_TIMES,
    },
  ])
}
