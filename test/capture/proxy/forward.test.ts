// What goes through the proxy is what came in: headers, bodies, ends and failures, over real sockets.
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import fc from "fast-check"
import { expect, test, vi } from "vitest"
import { createRoute } from "../../../src/capture/proxy/upstream.ts"
import { bodyOf, exchange, provider, proxyTo, rawProvider } from "./upstream.ts"

const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/).map((name) => `X-${name}`)
const value = fc.stringMatching(/^[!-~\u00a1-\u00ff]([ -~\u00a1-\u00ff]{0,20}[!-~\u00a1-\u00ff])?$/)
const headers = fc.array(fc.tuple(token, value), { maxLength: 6 })
const chunks = fc.array(fc.uint8Array({ maxLength: 5_000 }), { maxLength: 5 })
const NOT_OURS = /^(?:connection|keep-alive|host|date)$/i

test("any headers and bodies pass both ways, in their order and case, chunked or not", async () => {
  const seen: { headers: string[]; body: Buffer; path: string }[] = []
  let answer: { headers: [string, string][]; chunks: Uint8Array[]; isChunked: boolean }
  const url = await provider(async (incoming, outgoing) => {
    seen.push({ headers: incoming.rawHeaders, body: await bodyOf(incoming), path: incoming.url ?? "" })
    const length = Buffer.concat(answer.chunks).length
    const framing = answer.isChunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(length)]
    outgoing.sendDate = false
    outgoing.writeHead(200, "Fine", [...answer.headers.flat(), ...framing])
    for (const chunk of answer.chunks) outgoing.write(chunk)
    outgoing.end()
  })
  const proxy = await proxyTo(url)
  const agent = new Agent({ keepAlive: true })
  await fc.assert(
    fc.asyncProperty(
      fc.record({ headers, chunks, isChunked: fc.boolean() }),
      fc.record({ headers, chunks, isChunked: fc.boolean() }),
      async (sent, received) => {
        answer = received
        const body = Buffer.concat(sent.chunks)
        const framing = sent.isChunked
          ? ["Transfer-Encoding", "chunked"]
          : ["content-LENGTH", String(body.length)]
        const raw = ["hOsT", `127.0.0.1:${proxy.port}`, ...sent.headers.flat(), ...framing]
        const asked = request(`${proxy.url}/v1/x?a=%20b`, { method: "POST", agent, headers: raw })
        for (const chunk of sent.chunks) asked.write(chunk)
        asked.end()
        // Node's typings do not know the event's argument here.
        const [got] = (await once(asked, "response")) as [IncomingMessage]
        const came = await bodyOf(got)
        const arrived = seen.pop()
        expect(arrived?.path).toBe("/v1/x?a=%20b")
        expect(arrived?.body.equals(body)).toBe(true)
        expect(without(arrived?.headers ?? [])).toEqual(without(raw))
        expect(came.equals(Buffer.concat(received.chunks))).toBe(true)
        expect(got.statusMessage).toBe("Fine")
        const length = Buffer.concat(received.chunks).length
        expect(without(got.rawHeaders)).toEqual([
          ...received.headers.flat(),
          ...(received.isChunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(length)]),
        ])
      },
    ),
    { numRuns: 60 },
  )
  agent.destroy()
})

/** Without what is about one connection. */
function without(raw: readonly string[]): readonly string[] {
  return raw.flatMap((name, at) => (at % 2 === 0 && !NOT_OURS.test(name) ? [name, raw[at + 1] ?? ""] : []))
}

test("events arrive when they are sent, not when the answer ends", async () => {
  const url = await provider((_incoming, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" })
    outgoing.write("data: 1\n\n")
    // The rest only comes after the client has said that it has the first.
    outgoing.req.on("data", () => outgoing.end("data: 2\n\n"))
  })
  const proxy = await proxyTo(url)
  const asked = request(proxy.url, { method: "POST", headers: { "transfer-encoding": "chunked" } })
  asked.flushHeaders()
  const [got] = (await once(asked, "response")) as [IncomingMessage]
  const [first] = (await once(got, "data")) as [Buffer]
  expect(first.toString()).toBe("data: 1\n\n")
  asked.end("got it")
  const [second] = (await once(got, "data")) as [Buffer]
  expect(second.toString()).toBe("data: 2\n\n")
})

test("trailers, HEAD, 204, 304 and an answer without a body", async () => {
  const url = await rawProvider((socket) => {
    socket.on("error", () => {})
    socket.once("data", (data) => {
      const [, path] = data.toString().split(" ")
      socket.end(ANSWERS[path ?? ""] ?? "")
    })
  })
  const proxy = await proxyTo(url)
  const ask = (method: string, path: string) =>
    exchange(proxy.url, `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  expect(await ask("GET", "/trailers")).toContain("\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n")
  expect(await ask("HEAD", "/length")).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 700\r\n.*\r\n\r\n$/s)
  expect(await ask("GET", "/204")).toMatch(/^HTTP\/1\.1 204 No Content\r\n.*\r\n\r\n$/s)
  expect(await ask("GET", "/304")).toMatch(/^HTTP\/1\.1 304 Not Modified\r\nETag: "a"\r\n.*\r\n\r\n$/s)
})

const ANSWERS: Readonly<Record<string, string>> = {
  "/trailers":
    "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n",
  "/length": "HTTP/1.1 200 OK\r\nContent-Length: 700\r\n\r\n",
  "/204": "HTTP/1.1 204 No Content\r\n\r\n",
  "/304": 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
}

test("a client that waits for 100 Continue gets the provider's, or its refusal", async () => {
  const url = await rawProvider((socket) => {
    socket.on("error", () => {})
    socket.on("data", (data) => {
      const text = data.toString()
      if (text.includes("/no ")) socket.end("HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n")
      else if (text.includes("Expect")) socket.write("HTTP/1.1 100 Continue\r\n\r\n")
      else socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
    })
  })
  const proxy = await proxyTo(url)
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: close\r\n\r\n`
  const socket = connect(proxy.port, "127.0.0.1")
  socket.write(head("/yes"))
  const [went] = (await once(socket, "data")) as [Buffer]
  expect(went.toString()).toBe("HTTP/1.1 100 Continue\r\n\r\n")
  socket.write("body")
  const [came] = (await once(socket, "data")) as [Buffer]
  expect(came.toString()).toMatch(/^HTTP\/1\.1 200 OK.*body$/s)
  socket.destroy()
  expect(await exchange(proxy.url, head("/no"))).toMatch(/^HTTP\/1\.1 417 No/)
})

test("an answer that breaks off breaks off for the client, and does not look whole", async () => {
  const url = await rawProvider((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
  })
  const proxy = await proxyTo(url)
  const got = await exchange(proxy.url, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
  expect(got).toContain("hello")
  expect(got).not.toContain("\r\n0\r\n")
})

test("a provider that breaks before it answers, and one that is not there", async () => {
  const broken = await proxyTo(await rawProvider((socket) => socket.once("data", () => socket.destroy())))
  expect(await exchange(broken.url, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")).toBe("")
  const nowhere = await proxyTo("http://127.0.0.1:1")
  const got = await exchange(nowhere.url, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
  expect(got).toMatch(/^HTTP\/1\.1 502 .*cannot reach 127\.0\.0\.1:1/s)
})

test("an error of the provider is passed through, also if it comes before the request has ended", async () => {
  const url = await provider((_incoming, outgoing) => {
    outgoing.writeHead(429, { "retry-after": "7" })
    outgoing.end('{"error":"slow down"}')
  })
  const proxy = await proxyTo(url)
  const asked = request(proxy.url, { method: "POST" })
  asked.on("error", () => {})
  asked.write(Buffer.alloc(300_000))
  const [got] = (await once(asked, "response")) as [IncomingMessage]
  expect(got.statusCode).toBe(429)
  expect(got.headers["retry-after"]).toBe("7")
  expect((await bodyOf(got)).toString()).toBe('{"error":"slow down"}')
  asked.destroy()
})

test("a client that goes away ends the provider's side at once", async () => {
  const gone = Promise.withResolvers<void>()
  const url = await provider((_incoming, outgoing) => {
    outgoing.write("first")
    outgoing.on("close", () => gone.resolve())
  })
  const proxy = await proxyTo(url)
  const asked = request(proxy.url)
  asked.on("error", () => {})
  asked.end()
  const [got] = (await once(asked, "response")) as [IncomingMessage]
  got.on("error", () => {})
  await once(got, "data")
  got.destroy()
  await gone.promise
})

test("a reader that does not read stops the provider, and nothing piles up", async () => {
  const most = 200 << 20
  let written = 0
  const url = await provider((_incoming, outgoing) => {
    const piece = Buffer.alloc(1 << 16)
    const more = () => {
      while (written < most) {
        written += piece.length
        if (!outgoing.write(piece)) return
      }
      outgoing.end()
    }
    outgoing.on("drain", more)
    more()
  })
  const proxy = await proxyTo(url)
  const asked = request(proxy.url)
  asked.on("error", () => {})
  asked.end()
  const [got] = (await once(asked, "response")) as [IncomingMessage]
  got.on("error", () => {})
  let last = -1
  while (last !== written) {
    last = written
    await wait(100)
  }
  expect(written).toBeLessThan(most / 4)
  got.destroy()
})

test("another host name, and another machine's address, are refused", async () => {
  const proxy = await proxyTo(await provider((_incoming, outgoing) => outgoing.end("no")))
  const ask = (head: string) => exchange(proxy.url, `${head}\r\nConnection: close\r\n\r\n`)
  expect(await ask("GET / HTTP/1.1\r\nHost: evil.example")).toMatch(/^HTTP\/1\.1 403/)
  expect(await ask("GET http://evil.example/ HTTP/1.1\r\nHost: localhost")).toMatch(/^HTTP\/1\.1 403/)
  expect(await ask(`GET / HTTP/1.1\r\nHost: localhost:${proxy.port}`)).toMatch(/^HTTP\/1\.1 200/)
})

test.each([
  ["a page of another site", { origin: "https://evil.example" }],
  ["a page without an origin", { origin: "null" }],
  ["a picture on another site's page", { "sec-fetch-site": "cross-site" }],
])("%s is refused", async (_name, headers) => {
  let asked = 0
  const url = await provider((_incoming, outgoing) => {
    asked += 1
    outgoing.end("ok")
  })
  const proxy = await proxyTo(url)
  const post = { method: "POST", body: "{}" }
  expect((await fetch(`${proxy.url}/v1/messages`, { ...post, headers })).status).toBe(403)
  for (const origin of ["http://localhost:3000", "vscode-webview://abc"])
    expect((await fetch(`${proxy.url}/v1/messages`, { ...post, headers: { origin } })).status).toBe(200)
  expect(asked).toBe(2)
})

test.each([
  ["a status that is none", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 502 "],
  ["a control character beside it", "HTTP/1.1 200 O\u001bK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 502 "],
  ["another protocol", "HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", ""],
])("an answer with %s ends the request, and not the proxy", async (_name, answer, start) => {
  const url = await rawProvider((socket) => {
    socket.on("error", () => {}).on("data", () => socket.write(answer))
  })
  const proxy = await proxyTo(url)
  const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
  for (const _again of [1, 2]) expect((await exchange(proxy.url, request)).slice(0, 13)).toBe(start)
})

test.each(["no address", "ftp://127.0.0.1"])("settings that name %s as a provider", async (anthropic) => {
  const proxy = await proxyTo("", { route: createRoute({ providers: { anthropic } }) })
  const answer = await fetch(`${proxy.url}/v1/messages`, { method: "POST", body: "{}" })
  expect(answer.status).toBe(404)
})

test("copies take room until they are looked at, and none if the client goes away", async () => {
  const seen: (number | undefined)[] = []
  const looked = Promise.withResolvers<void>()
  let leave = () => {}
  let hasLeft = Promise.resolve()
  const url = await provider(async (incoming, outgoing) => {
    await bodyOf(incoming)
    if (incoming.url !== "/hang") return void outgoing.end()
    hasLeft = once(outgoing, "close").then(() => {})
    leave()
  })
  const proxy = await proxyTo(url, {
    ...{ wants: () => true, limits: { body: 100, all: 150 } },
    onExchange: async ({ request: copy }) => {
      seen.push(copy?.length)
      await looked.promise
    },
  })
  const body = "x".repeat(100)
  const post = (path: string, signal?: AbortSignal) =>
    fetch(proxy.url + path, { method: "POST", body, ...(signal && { signal }) }).catch(() => undefined)
  for (const _time of [1, 2, 3]) {
    const controller = new AbortController()
    leave = () => controller.abort()
    await post("/hang", controller.signal)
    await hasLeft
  }
  await post("/")
  await post("/")
  looked.resolve()
  await wait(20)
  await post("/")
  await vi.waitFor(() => expect(seen).toEqual([100, undefined, 100]))
})

test("a WebSocket is passed on", async () => {
  const url = await rawProvider((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
      socket.on("data", (data) => socket.end(`echo ${data}`))
    })
  })
  const upgraded: string[] = []
  const proxy = await proxyTo(url, { onUpgrade: (path) => upgraded.push(path) })
  const socket = connect(proxy.port, "127.0.0.1")
  socket.write("GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
  const [head] = (await once(socket, "data")) as [Buffer]
  expect(head.toString()).toMatch(/^HTTP\/1\.1 101/)
  socket.write("hi")
  const [said] = (await once(socket, "data")) as [Buffer]
  expect(said.toString()).toBe("echo hi")
  expect(upgraded).toEqual(["/live"])
})

test("an offer of another protocol than WebSocket is a request like any other, and so is what follows it", async () => {
  const seen: (string | undefined)[] = []
  const url = await provider(async (incoming, outgoing) => {
    seen.push(
      `${incoming.url} ${incoming.headers.host} ${incoming.headers.upgrade} ${await bodyOf(incoming)}`,
    )
    outgoing.writeHead(200, { "content-length": 2 }).end("ok")
  })
  const upgraded: string[] = []
  const proxy = await proxyTo(url, { onUpgrade: (path) => upgraded.push(path) })
  const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
  const first = `POST /a HTTP/1.1\r\nHost: localhost\r\n${offer}Content-Length: 2\r\n\r\nhi`
  const foreign = "GET /b HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
  const socket = connect(proxy.port, "127.0.0.1")
  for (const [request, status] of [
    [first, "200"],
    [foreign, "403"],
  ] as const) {
    socket.write(request)
    const [answer] = (await once(socket, "data")) as [Buffer]
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`))
  }
  socket.destroy()
  expect(seen).toEqual([`/a ${new URL(url).host} undefined hi`])
  expect(upgraded).toEqual([])
})

test("a client of HTTP/1.0 gets no chunks", async () => {
  const proxy = await proxyTo(
    await provider((_incoming, outgoing) => outgoing.write("hel") && outgoing.end("lo")),
  )
  const came = await exchange(proxy.url, "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
  expect(came).toMatch(/^HTTP\/1\.1 200/)
  expect(came).not.toMatch(/transfer-encoding/i)
  expect(came.endsWith("\r\n\r\nhello")).toBe(true)
})

test("fifty at once, each with its own answer", async () => {
  const proxy = await proxyTo(
    await provider(async (incoming, outgoing) => outgoing.end(`${incoming.url} ${await bodyOf(incoming)}`)),
  )
  const one = async (number: number) => {
    const asked = request(`${proxy.url}/${number}`, { method: "POST" })
    asked.end(`body ${number}`)
    const [got] = (await once(asked, "response")) as [IncomingMessage]
    return (await bodyOf(got)).toString()
  }
  const numbers = Array.from({ length: 50 }, (_, at) => at)
  expect(await Promise.all(numbers.map(one))).toEqual(numbers.map((number) => `/${number} body ${number}`))
})
