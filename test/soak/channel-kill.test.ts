// kill -9 around the moments at which a message is received and stored, and an answer is sent: no message is lost or
// handled twice, and no answer is lost. Each round has a process of its own.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { expect, onTestFinished, test } from "vitest"
import { signatureOf } from "../../src/serve/channels/webhook/signature.ts"
import { type Figures, noteFigures } from "../figures.ts"
import { fakeTelegram } from "../serve/channels/fake-telegram.ts"
import { killedGateways, type RunningGateway } from "./killed-gateway.ts"

const ROUNDS = Number(process.env.CHANNEL_ROUNDS ?? 200)
const NAMES = Array.from({ length: ROUNDS }, (_, round) => `round-${round}`)
/** When the process is killed: a while after it got the message; when its answer arrives; when its answer is lost. */
const MOMENTS = ["received", "answered", "received", "unanswered"] as const
const momentOf = (round: number) => MOMENTS[round % MOMENTS.length] ?? "received"
/** From before the store has the message to after. */
const delayOf = (round: number) => (round % 17) * 7
const UNTIL = { timeout: 200_000, interval: 500 }

function figuresOf(heard: readonly string[], answers: number): Figures {
  const handled = new Set(heard)
  const lost = NAMES.filter((name) => !handled.has(name))
  return {
    ...{ kills: ROUNDS, messages: NAMES.length, "lost messages": lost.length },
    ...{ "handled twice": heard.length - handled.size, "answers sent again": answers - NAMES.length },
  }
}

const sorted = (names: Iterable<string>) => [...names].toSorted()

test(`${ROUNDS} kills of a gateway on Telegram`, async (context) => {
  const server = await fakeTelegram()
  onTestFinished(() => server.close())
  const gateways = await killedGateways(
    `users: { ada: { trust: full, match: ["telegram:*"] } }
serve: { channels: { telegram: { token: BOT_TOKEN, url: "${server.url}" } } }
`,
    { BOT_TOKEN: server.token },
  )
  const answered: string[] = []
  let atAnswer: ((text: string) => Promise<boolean>) | undefined
  server.onCall = async ({ method, input }) => {
    if (method !== "sendMessage") return true
    const isKept = (await atAnswer?.(String(input.text))) ?? true
    if (isKept) answered.push(String(input.text).slice("Answer to ".length))
    return isKept
  }
  for (const [round, name] of NAMES.entries()) {
    const before = server.polls.handedOut
    const moment = momentOf(round)
    const over = Promise.withResolvers<void>()
    const { promise: running, resolve } = Promise.withResolvers<RunningGateway>()
    atAnswer = async (text) => {
      if (moment === "received" || !text.endsWith(name)) return true
      await (await running).kill()
      over.resolve()
      return moment === "answered"
    }
    const gateway = await gateways.start()
    resolve(gateway)
    server.say(1_000 + round, `What is ${name}?`)
    if (moment === "received") {
      while (server.polls.handedOut === before) await pause(1)
      await pause(delayOf(round))
      await gateway.kill()
    } else await over.promise
    atAnswer = undefined
  }
  const last = await gateways.start()
  await expect.poll(() => sorted(new Set(answered)), UNTIL).toEqual(sorted(NAMES))
  await last.kill()
  const heard = await gateways.heard()
  noteFigures(context, { ...figuresOf(heard, answered.length), updates: server.polls.handedOut })
  expect(sorted(heard)).toEqual(sorted(NAMES))
})

const SECRET = "s".repeat(40)

test(`${ROUNDS} kills of a gateway with a webhook`, async (context) => {
  const answered = new Map<string, string>()
  let answers = 0
  let atAnswer: ((text: string) => Promise<boolean>) | undefined
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, text } = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    if (!((await atAnswer?.(text)) ?? true)) return void request.socket.destroy()
    answers += 1
    answered.set(id, text.slice("Answer to ".length))
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void receiver.close())
  const gateways = await killedGateways(
    `users: { ada: { trust: full, match: ["webhook:*"] } }
serve: { channels: { webhook: { secret: HOOK_SECRET, url: "http://127.0.0.1:${(receiver.address() as AddressInfo).port}/" } } }
`,
    { HOOK_SECRET: SECRET },
  )
  /** Not accepted yet: the other program sends them again. */
  const unsent = new Set<string>()
  let requests = 0
  const post = async ({ url }: RunningGateway, name: string) => {
    requests += 1
    const body = JSON.stringify({ id: name, sender: name, text: `What is ${name}?` })
    const time = String(Math.floor(Date.now() / 1_000))
    const headers = {
      "x-incipit-timestamp": time,
      "x-incipit-signature": signatureOf(SECRET, { body, time }),
    }
    const response = await fetch(`${url}/channels/webhook`, { method: "POST", body, headers }).catch(
      () => undefined,
    )
    if (response?.ok === true) unsent.delete(name)
  }
  for (const [round, name] of NAMES.entries()) {
    const moment = momentOf(round)
    const over = Promise.withResolvers<void>()
    const gateway = await gateways.start()
    for (const earlier of unsent) await post(gateway, earlier)
    atAnswer = async (text) => {
      if (moment === "received" || !text.endsWith(name)) return true
      await gateway.kill()
      over.resolve()
      return moment === "answered"
    }
    unsent.add(name)
    const posted = post(gateway, name)
    if (moment === "received") {
      await pause(delayOf(round))
      await gateway.kill()
    } else await over.promise
    await posted
    atAnswer = undefined
  }
  const last = await gateways.start()
  for (const earlier of unsent) await post(last, earlier)
  await expect.poll(() => sorted(new Set(answered.values())), UNTIL).toEqual(sorted(NAMES))
  await last.kill()
  const heard = await gateways.heard()
  noteFigures(context, { ...figuresOf(heard, answers), requests })
  expect(sorted(heard)).toEqual(sorted(NAMES))
  // A repeated answer has the id of the first.
  expect(sorted(answered.values())).toEqual(sorted(NAMES))
})
