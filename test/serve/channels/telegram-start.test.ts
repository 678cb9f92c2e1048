// How Telegram is opened: by polls or its webhook, with the right token or a wrong one, and what the operator learns.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest"
import type { Channel } from "../../../src/serve/channels/channel.ts"
import { introduceChannels } from "../../../src/serve/channels/introduce-channels.ts"
import { telegram } from "../../../src/serve/channels/telegram/telegram.ts"
import { troubleLine } from "../../../src/serve/channels/trouble-line.ts"
import { type FakeTelegram, fakeTelegram } from "./fake-telegram.ts"
import { talking } from "./talking.ts"

const WAIT = { timeout: 20_000, interval: 10 }
let server: FakeTelegram

beforeEach(async () => {
  server = await fakeTelegram()
})

afterEach(() => server.close())

const sent = () =>
  server.calls.filter(({ method }) => method === "sendMessage").map(({ input }) => input.text)

/** Where Telegram calls; a request that comes before there is a channel fails, as behind a proxy. */
async function publicAddress(
  channelOf: () => ((request: Request) => Promise<Response> | undefined) | undefined,
) {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = new Headers(request.headers as Record<string, string>)
    const whole = new Request("http://x/", { method: "POST", headers, body: Buffer.concat(chunks) })
    const answer = await channelOf()?.(whole)
    response.writeHead(answer?.status ?? 502).end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/channels/telegram`
}

test("with a webhook, Telegram calls with a secret, and others are refused", async () => {
  let request: ((given: Request) => Promise<Response> | undefined) | undefined
  const webhookUrl = await publicAddress(() => request)
  const channel = telegram({ token: server.token, url: server.url, webhookUrl })
  server.say(1, "sent before it was open")
  const { connections, troubles } = await talking({ channel, script: ({ message }) => `On ${message}` })
  request = (given) => connections.request("telegram", given)
  server.say(1, "later")
  await expect.poll(sent, WAIT).toEqual(["On sent before it was open", "On later"])
  const [set] = server.calls.filter(({ method }) => method === "setWebhook")
  expect(set?.input).toMatchObject({ url: webhookUrl, secret_token: expect.stringMatching(/^[\w-]{43}$/) })
  const forged = {
    method: "POST",
    body: '{"update_id":1}',
    headers: { "x-telegram-bot-api-secret-token": "x" },
  }
  expect((await request(new Request("http://x/", forged)))?.status).toBe(401)
  expect((await request(new Request("http://x/", { method: "POST" })))?.status).toBe(401)
  expect(troubles).toEqual([])
})

test("polling while a webhook is set says what to do", async () => {
  const api = { token: server.token, url: server.url }
  await telegram({ ...api, webhookUrl: "http://127.0.0.1:1/" }).run?.(
    { take: async () => {}, report: () => {} },
    AbortSignal.timeout(1_000),
  )
  const { troubles } = await talking({ channel: telegram({ ...api, pollSeconds: 1 }) })
  await expect.poll(() => troubles.length, WAIT).toBeGreaterThan(0)
  expect(troubles[0]).toBe(
    "telegram: Telegram refused getUpdates: Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first. A webhook is set for this bot: configure `webhook` here, or delete it with deleteWebhook.",
  )
})

const introduced = (channel: Channel) => introduceChannels([channel])

test("it says who it is, and that Telegram keeps messages of groups back", async () => {
  const api = { token: server.token, url: server.url }
  expect(await introduced(telegram(api))).toEqual({ names: ["telegram: @lamp_bot"], warnings: [] })
  expect((await introduced(telegram({ ...api, wantsAll: true }))).warnings).toEqual([
    "Telegram sends @lamp_bot only messages of groups that mention it. For `rooms: all`, turn its privacy mode off (/setprivacy of @BotFather) and add it to the groups again.",
  ])
})

test("a wrong token is an error, a server that is down a warning, and neither shows the token", async () => {
  const wrong = telegram({ token: "99:secret-part", tokenName: "BOT_TOKEN", url: server.url })
  await expect(introduced(wrong)).rejects.toThrow("Telegram knows no bot with the token in BOT_TOKEN")
  server.setDown(true)
  const { warnings } = await introduced(telegram({ token: server.token, url: server.url }))
  expect(warnings).toEqual([
    "telegram: Telegram cannot be reached (getMe): UND_ERR_SOCKET. It is tried again while the server runs.",
  ])
})

test.each([
  [{}, "telegram: It broke."],
  [{ attempt: 1, retryInMs: 500 }, "telegram: It broke. Trying again in 1 s."],
  [{ attempt: 3, retryInMs: 4_000 }, "telegram: It broke. Trying again in 4 s, after 3 attempts."],
  [{ attempt: 1, isGivenUp: true }, "telegram: It broke. The message was not sent."],
])("a failure is one line: %o", (data, line) => {
  expect(troubleLine("telegram", new Error("It broke"), data)).toBe(line)
})
