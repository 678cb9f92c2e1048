// The contract of channels, for those that come with Incipit and for the examples.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { mailbox } from "../../../examples/channels/mailbox.ts"
import { signal } from "../../../examples/channels/signal.ts"
import { telegram } from "../../../src/serve/channels/telegram/telegram.ts"
import { signatureOf } from "../../../src/serve/channels/webhook/signature.ts"
import { webhook } from "../../../src/serve/channels/webhook/webhook.ts"
import { channelContract } from "./contract.ts"
import { fakeSignal } from "./fake-signal.ts"
import { fakeTelegram } from "./fake-telegram.ts"

channelContract("telegram", async () => {
  const server = await fakeTelegram()
  const from = { chat: { id: 1, type: "private" }, from: { id: 1, is_bot: false } }
  const update = { message: { message_id: 7, ...from, text: "When is high tide?" } }
  return {
    channel: telegram({ token: server.token, url: server.url, pollSeconds: 1 }),
    person: "telegram:1",
    secret: server.token,
    say: async () => void server.push(update),
    babble: async () =>
      void server.push({ my_chat_member: { chat: { id: 1 } }, message: { message_id: "x" } }),
    // Telegram repeats by itself what no poll has confirmed; this is a repetition of one that was.
    async repeat() {
      const id = server.push(update)
      await expect.poll(() => server.polls.confirmed, { timeout: 20_000, interval: 5 }).toBeGreaterThan(id)
    },
    sent: async () =>
      server.calls.filter(({ method }) => method === "sendMessage").map(({ input }) => String(input.text)),
    fail: async () => server.setDown(true),
    close: () => server.close(),
  }
})

const SECRET = "s".repeat(40)

channelContract("webhook", async () => {
  const sent: string[] = []
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    sent.push(JSON.parse(Buffer.concat(chunks).toString("utf8")).text)
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const post = (text: string) => {
    const body = JSON.stringify({ id: "m1", sender: "bo", text })
    const time = String(Math.floor(Date.now() / 1_000))
    const signature = signatureOf(SECRET, { body, time })
    const headers = { "x-incipit-timestamp": time, "x-incipit-signature": signature }
    return new Request("http://x/channels/webhook", { method: "POST", body, headers })
  }
  const close = async () => {
    receiver.closeAllConnections()
    await new Promise((resolve) => receiver.close(resolve))
  }
  return {
    channel: webhook({ secret: SECRET, url }),
    person: "webhook:bo",
    secret: SECRET,
    say: async (text, request) => void (await request(post(text))),
    babble: async () => {},
    repeat: async (request) => void (await request(post("When is high tide?"))),
    sent: async () => sent,
    fail: close,
    close,
  }
})

channelContract("signal, an example", async () => {
  const server = await fakeSignal()
  return {
    channel: signal({ url: server.url, account: "+15550100" }),
    person: "signal:u-1",
    secret: "nothing is secret",
    say: async (text) => server.say("u-1", text),
    babble: async () => server.babble(),
    repeat: async () => server.repeat(),
    sent: async () => server.sent,
    fail: () => server.close(),
    close: () => server.close(),
  }
})

channelContract("mailbox, an example", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mailbox-"))
  const [inbox, outbox] = [join(folder, "inbox"), join(folder, "outbox")]
  mkdirSync(inbox)
  mkdirSync(outbox)
  const drop = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    renameSync(join(folder, name), join(inbox, name))
  }
  const say = async (text: string) => drop("m1.json", JSON.stringify({ from: "bo", text }))
  return {
    channel: mailbox(folder, 5),
    person: "mailbox:bo",
    secret: "nothing is secret",
    say,
    async babble() {
      for (const [at, text] of ["[7]", "null", "{broken", "{}"].entries()) drop(`m0${at}.json`, text)
    },
    async repeat() {
      await say("When is high tide?")
      await expect.poll(() => readdirSync(inbox), { timeout: 20_000, interval: 5 }).toEqual([])
    },
    sent: async () =>
      readdirSync(outbox)
        .filter((name) => name.endsWith(".json"))
        .map((name) => JSON.parse(readFileSync(join(outbox, name), "utf8")).text),
    fail: async () => rmSync(outbox, { recursive: true }),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
})

test("the guide shows the mailbox as it is tested", () => {
  expect(readFileSync("docs/guide/channels.md", "utf8")).toContain(
    readFileSync("examples/channels/mailbox.ts", "utf8"),
  )
})
