// How people of these tests talk: a client of OpenAI's API with a token, Telegram, and another program's webhook. Each
// keeps what it was sent for its place, byte for byte.
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { signatureOf } from "../../../src/serve/channels/webhook/signature.ts"
import { BOT, type FakeTelegram } from "../channels/fake-telegram.ts"
import { isRoom, type Person, PLACES, type Place, type PlaceName } from "./places.ts"

export interface Said {
  readonly place: PlaceName
  readonly by: Person
  readonly text: string
}

/** One way to talk. */
export interface Way {
  /** Resolves when the answer is there. */
  say(said: Said): Promise<void>
  heard(place: PlaceName): readonly string[]
  close?(): Promise<void>
}

/** Sends the whole conversation each time, as clients do. */
export function overHttp(url: () => string, tokens: Readonly<Partial<Record<Person, string>>>): Way {
  const heard = new Map<PlaceName, string[]>()
  const conversations = new Map<PlaceName, { readonly role: string; readonly content: string }[]>()
  return {
    async say({ place, by, text }) {
      const messages = [...(conversations.get(place) ?? []), { role: "user", content: text }]
      const response = await fetch(`${url()}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${tokens[by]}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "main", messages }),
      })
      const body = await response.text()
      const headers = JSON.stringify([...response.headers].filter(([name]) => name !== "date"))
      heard.set(place, [...(heard.get(place) ?? []), `${response.status} ${headers}\n${body}`])
      // What the client shows is what it sends next time.
      const answer = JSON.parse(body) as { choices?: { message: { content: string } }[] }
      const content = answer.choices?.[0]?.message.content
      if (content === undefined) throw new Error(`no answer in ${place}: ${body}`)
      conversations.set(place, [...messages, { role: "assistant", content }])
    },
    heard: (place) => heard.get(place) ?? [],
  }
}

export function overTelegram(server: FakeTelegram): Way {
  const sentTo = (place: PlaceName) => {
    const { chat }: Place = PLACES[place]
    return server.calls.filter(({ input }) => String(input.chat_id) === String(chat))
  }
  const answers = (place: PlaceName) => sentTo(place).filter(({ method }) => method === "sendMessage").length
  return {
    async say({ place, by, text }) {
      const { chat = 0 }: Place = PLACES[place]
      const before = answers(place)
      const from = { id: { ada: 1, bo: 2, stranger: 666 }[by], is_bot: false }
      const mention = `@${BOT.username}`
      server.push({
        message: {
          ...{ message_id: before + 1, from },
          ...(isRoom(place)
            ? {
                chat: { id: chat, type: "supergroup" },
                text: `${mention} ${text}`,
                entities: [{ type: "mention", offset: 0, length: mention.length }],
              }
            : { chat: { id: chat, type: "private" }, text }),
        },
      })
      while (answers(place) === before) await pause(2)
    },
    // Whether typing is shown once or twice depends on time.
    heard: (place) =>
      sentTo(place)
        .filter(({ method }) => method !== "sendChatAction")
        .map((call) => JSON.stringify(call)),
  }
}

export const WEBHOOK_SECRET = "s".repeat(32)

/** `receiver` is where answers are sent; it listens before the gateway does. */
export async function overWebhook(url: () => string, now: () => number): Promise<Way & { receiver: string }> {
  const got: { readonly to: string; readonly text: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString("utf8")
    got.push({ to: (JSON.parse(text) as { to: string }).to, text })
    response.end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const addressOf = (place: PlaceName) =>
    isRoom(place) ? "webhook:room/deck" : `webhook:${PLACES[place].people[0]}`
  const answers = (place: PlaceName) => got.filter(({ to }) => to === addressOf(place))
  return {
    receiver: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async say({ place, by, text }) {
      const before = answers(place).length
      const room = isRoom(place) ? { room: "deck", mentioned: true } : {}
      const body = JSON.stringify({ id: `${place}-${before}`, sender: by, text, ...room })
      const time = String(Math.floor(now() / 1_000))
      const response = await fetch(`${url()}/channels/webhook`, {
        method: "POST",
        headers: {
          "x-incipit-timestamp": time,
          "x-incipit-signature": signatureOf(WEBHOOK_SECRET, { body, time }),
        },
        body,
      })
      if (response.status !== 202) throw new Error(`the webhook answered ${response.status}`)
      while (answers(place).length === before) await pause(2)
    },
    heard: (place) => answers(place).map(({ text }) => text),
    async close() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
