import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import type { ChannelArrival, ChannelHost } from "../../../src/serve/channels/channel.ts"
import { isSigned, signatureOf } from "../../../src/serve/channels/webhook/signature.ts"
import { webhook } from "../../../src/serve/channels/webhook/webhook.ts"
import { talking } from "./talking.ts"

const SECRET = "s".repeat(32)
const NOW = 1_800_000_000_000
const TIME = "1800000000"
const MESSAGE = { id: "m1", sender: "bo", text: "hello" }

function hostInto(taken: ChannelArrival[]): ChannelHost {
  return { report: () => {}, take: async (arrival) => void taken.push(arrival) }
}

function signed(body: string, { secret = SECRET, time = TIME } = {}): Request {
  const signature = signatureOf(secret, { body, time })
  const headers = { "x-incipit-timestamp": time, "x-incipit-signature": signature }
  return new Request("http://x/channels/webhook", { method: "POST", body, headers })
}

async function answerTo(request: Request) {
  const taken: ChannelArrival[] = []
  const channel = webhook({ secret: SECRET, url: "http://127.0.0.1:1", now: () => NOW })
  const response = await channel.request?.(request, hostInto(taken))
  return { status: response?.status, taken }
}

test("a signed message is taken and accepted", async () => {
  expect(await answerTo(signed(JSON.stringify(MESSAGE)))).toEqual({
    status: 202,
    taken: [
      {
        id: "m1",
        message: {
          place: { channel: "webhook:bo" },
          sender: "webhook:bo",
          isRoom: false,
          isAddressed: true,
          text: "hello",
          replyTo: "m1",
        },
      },
    ],
  })
})

test.each([
  ["another secret", signed(JSON.stringify(MESSAGE), { secret: "t".repeat(32) }), 401],
  ["five minutes and a second ago", signed(JSON.stringify(MESSAGE), { time: "1799999699" }), 401],
  ["five minutes and a second ahead", signed(JSON.stringify(MESSAGE), { time: "1800000301" }), 401],
  ["a time that is no number", signed(JSON.stringify(MESSAGE), { time: "now" }), 401],
  ["no signature", new Request("http://x/", { method: "POST", body: "{}" }), 401],
  ["another method", new Request("http://x/"), 405],
  ["a field that it doesn't know", signed(JSON.stringify({ ...MESSAGE, as: "ada" })), 400],
  ["a sender that looks like a room", signed(JSON.stringify({ ...MESSAGE, sender: "room/x" })), 400],
  ["no JSON", signed("hello"), 400],
])("refused, and nothing taken: %s", async (_, request, status) => {
  expect(await answerTo(request)).toEqual({ status, taken: [] })
})

test("a message that cannot be stored is not accepted", async () => {
  const channel = webhook({ secret: SECRET, url: "http://127.0.0.1:1", now: () => NOW })
  const host: ChannelHost = {
    report: () => {},
    take: () => Promise.reject(new Error("disk full")),
  }
  await expect(channel.request?.(signed(JSON.stringify(MESSAGE)), host)).rejects.toThrow("disk full")
})

interface ReceivedAnswer {
  readonly body: string
  readonly time: string
  readonly signature: string
}

/** Answers with these statuses in turn, then with 200. */
async function receiverOf(statuses: readonly number[] = []) {
  const got: ReceivedAnswer[] = []
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const header = (name: string) => String(request.headers[name])
    const body = Buffer.concat(chunks).toString("utf8")
    got.push({ body, time: header("x-incipit-timestamp"), signature: header("x-incipit-signature") })
    response.writeHead(statuses[got.length - 1] ?? 200).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void receiver.close())
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, got }
}

test("an answer is sent with its id and a signature that the receiver can check", async () => {
  const { url, got } = await receiverOf()
  const channel = webhook({ secret: SECRET, previousSecret: "o".repeat(32), url, now: () => NOW })
  const [body = ""] = channel.parts("At **nine**.")
  await channel.send({ id: "t1.0", place: { channel: "webhook:bo" }, body, replyTo: "m1" })
  const [request] = got
  expect(JSON.parse(request?.body ?? "")).toEqual({
    ...{ id: "t1.0", to: "webhook:bo", replyTo: "m1", text: "At **nine**." },
  })
  expect(request && isSigned([SECRET], { ...request, now: NOW })).toBe(true)
})

test("while the secret is replaced, both open the door; afterwards only the new one", async () => {
  const post = async (previousSecret: string | undefined) => {
    const channel = webhook({ secret: "n".repeat(32), previousSecret, url: "http://x/", now: () => NOW })
    return (await channel.request?.(signed(JSON.stringify(MESSAGE)), hostInto([])))?.status
  }
  expect([await post(SECRET), await post(undefined)]).toEqual([202, 401])
  expect(() => webhook({ secret: "short", url: "http://x/" })).toThrow("use at least 32 characters")
})

test("a replayed request is accepted and does nothing, and a failed answer is sent again under its id", async () => {
  const { url, got } = await receiverOf([500, 503])
  const channel = webhook({ secret: SECRET, url, now: () => NOW })
  const { connections, heard, troubles } = await talking({ channel, script: () => "At nine." })
  const post = () => connections.request("webhook", signed(JSON.stringify(MESSAGE)))
  expect([(await post())?.status, (await post())?.status]).toEqual([202, 202])
  await expect.poll(() => got.length, { timeout: 20_000 }).toBe(3)
  expect((await post())?.status).toBe(202)
  await connections.stop()
  expect(new Set(got.map(({ body }) => JSON.parse(body).id)).size).toBe(1)
  expect(await heard()).toEqual(["hello"])
  expect(troubles).toEqual([
    "webhook: The receiver of webhook answered with 500",
    "webhook: The receiver of webhook answered with 503",
  ])
})
