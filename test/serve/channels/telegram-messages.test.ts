// What people do on Telegram, and what becomes of it: files, groups, topics, edits, moved groups, blocked bots.
import { afterEach, beforeEach, expect, test } from "vitest"
import { telegram } from "../../../src/serve/channels/telegram/telegram.ts"
import { type FakeTelegram, fakeTelegram } from "./fake-telegram.ts"
import { type Talking, type TalkingOptions, talking } from "./talking.ts"

const CONFIG = `users:
  ada: { trust: full, match: ["telegram:1"] }
  bo: { trust: familiar, match: ["telegram:2"] }
rooms: { "telegram:-100": { trust: familiar } }
`
const WAIT = { timeout: 20_000, interval: 10 }

let server: FakeTelegram

beforeEach(async () => {
  server = await fakeTelegram()
})

afterEach(() => server.close())

function start(options: Partial<TalkingOptions> = {}): Promise<Talking> {
  const channel = telegram({ token: server.token, url: server.url, pollSeconds: 1 })
  return talking({ channel, config: CONFIG, script: () => "Noted.", ...options })
}

const sent = () => server.calls.filter(({ method, isRefused }) => method === "sendMessage" && !isRefused)
const ADA = { chat: { id: 1, type: "private" }, from: { id: 1, is_bot: false, first_name: "Ada" } }
const GROUP = { chat: { id: -100, type: "supergroup", title: "Yard" }, from: { id: 2, is_bot: false } }
const MENTION = { text: "@lamp_bot hello", entities: [{ type: "mention", offset: 0, length: 9 }] }

test("a photo and a document reach the model, and what cannot be opened is named", async () => {
  const { heard } = await start()
  server.keepFile("large", Buffer.from("the photo"))
  server.keepFile("plan", Buffer.from("Nine at the pier."))
  server.keepFile("empty", Buffer.alloc(0))
  const photo = [
    { file_id: "small", width: 90, height: 60 },
    { file_id: "large", width: 900, height: 600 },
  ]
  const plan = { file_id: "plan", file_name: "plan.txt", mime_type: "text/plain" }
  const messages = [
    { photo, caption: "Look." },
    { document: plan },
    { document: { file_id: "zip", file_name: 'a"]\n.zip', mime_type: "application/zip" } },
    { document: { ...plan, file_id: "gone" } },
    { document: { ...plan, file_size: 1_000_001 } },
    { document: { ...plan, file_id: "empty" } },
    { location: { latitude: 1, longitude: 2 } },
  ]
  for (const [at, message] of messages.entries())
    server.push({ message: { message_id: at + 1, ...ADA, ...message } })
  await expect.poll(() => sent().length, WAIT).toBe(messages.length)
  const [first, ...told] = await heard()
  expect(first).toContain(Buffer.from("the photo").toString("base64"))
  expect(told).toEqual([
    "[file plan.txt]\nNine at the pier.\n[end of the file]",
    '[a file, "a\\"]\\n.zip"; it cannot be opened here]',
    '[a file, "plan.txt"; it could not be loaded]',
    '[a file, "plan.txt"; it is too large to be opened here]',
    '[a file, "plan.txt"; it is empty]',
    "[a location; it cannot be opened here]",
  ])
})

test("without any users, whoever writes over Telegram is a stranger, and nothing of the owner's is theirs", async () => {
  const { agent, store } = await start({ config: "" })
  const from = { id: 7, is_bot: false, first_name: "owner", username: "terminal:local" }
  for (const [at, type] of ["private", "group"].entries()) {
    const text = type === "group" ? MENTION : { text: "hello" }
    server.push({
      message: { message_id: at + 1, chat: { id: type === "group" ? -7 : 7, type }, from, ...text },
    })
  }
  await expect.poll(() => sent().length, WAIT).toBe(2)
  const sessions = await store.sessions.list("main")
  expect(sessions.map(({ trust }) => trust)).toEqual(["public", "public"])
  expect(await agent.sessions({ channel: "telegram", isLocal: true })).toEqual([])
})

test("what a channel delivers cannot be sent as the owner's", async () => {
  const { agent } = await start({ config: "" })
  const sent = { channel: "telegram", isLocal: true, sender: "telegram:7" }
  await expect(agent.send("hello", sent)).rejects.toThrow(
    "the option isLocal of send can only be true, and only without arrival and sender",
  )
})

test("a stranger's file is not loaded", async () => {
  await start({ policy: { strangers: "pair" } })
  const from = { id: 66, is_bot: false }
  const last = server.push({
    message: { message_id: 1, chat: { id: 66, type: "private" }, from, photo: [{ file_id: "x" }] },
  })
  await expect.poll(() => server.polls.confirmed, WAIT).toBe(last + 1)
  expect(server.calls.map(({ method }) => method)).not.toContain("getFile")
})

test("in a group the bot answers mentions, replies and commands that name it, in their topic", async () => {
  const { heard } = await start()
  const topic = { is_topic_message: true, message_thread_id: 7 }
  const command = { text: "/tide@lamp_bot", entities: [{ type: "bot_command", offset: 0, length: 14 }] }
  const texts = [
    { text: "for nobody" },
    { ...MENTION, ...topic },
    {
      text: "and tomorrow?",
      reply_to_message: { message_id: 90, from: { id: 99, is_bot: true }, text: "Nine." },
    },
    command,
    { text: "@lamp_bot2 no", entities: [{ type: "mention", offset: 0, length: 10 }] },
    { text: "/tide@other_bot", entities: [{ type: "bot_command", offset: 0, length: 15 }] },
  ]
  let last = 0
  for (const [at, message] of texts.entries())
    last = server.push({ message: { message_id: at + 1, ...GROUP, ...message } })
  await expect.poll(() => server.polls.confirmed, WAIT).toBe(last + 1)
  await expect.poll(() => sent().length, WAIT).toBe(3)
  expect(sent().map(({ input }) => [input.chat_id, input.message_thread_id])).toEqual([
    ["-100", 7],
    ["-100", undefined],
    ["-100", undefined],
  ])
  expect((await heard()).length).toBe(3)
})

test("an edit and a forward say what they are, a reply quotes, and updates of other kinds are confirmed", async () => {
  const { heard, troubles } = await start()
  const message = { message_id: 1, ...ADA, text: "Nine." }
  server.push({ message })
  server.push({ edited_message: { ...message, text: "Ten.", edit_date: 1_800_000_001 } })
  server.push({ message: { ...message, message_id: 2, forward_origin: { type: "hidden_user" } } })
  const quoted = { message_id: 3, from: { id: 2 }, text: "When?\nTell me." }
  server.push({ message: { ...message, message_id: 4, reply_to_message: quoted } })
  server.push({ chat_member: { chat: { id: 1 } } })
  const last = server.push({ a_kind_of_next_year: 7 })
  await expect.poll(() => server.polls.confirmed, WAIT).toBe(last + 1)
  await expect.poll(() => sent().length, WAIT).toBe(4)
  expect(await heard()).toEqual([
    "Nine.",
    "[an earlier message, edited]\nTen.",
    "[forwarded; somebody else may have written it]\nNine.",
    "> When?\n> Tell me.\nNine.",
  ])
  expect(troubles).toEqual([])
})

test("a group that became a supergroup still gets its answer, and the operator learns its new id", async () => {
  const { troubles } = await start()
  server.refuseNext("sendMessage", {
    ...{ code: 400, description: "Bad Request: group chat was upgraded to a supergroup chat" },
    movedTo: -200,
  })
  server.push({ message: { message_id: 1, ...GROUP, ...MENTION } })
  await expect.poll(() => sent().map(({ input }) => input.chat_id), WAIT).toEqual(["-200"])
  const last = server.push({ message: { message_id: 2, ...GROUP, migrate_to_chat_id: -200 } })
  await expect.poll(() => server.polls.confirmed, WAIT).toBe(last + 1)
  expect(troubles).toEqual([
    "telegram: The group telegram:-100 has become telegram:-200. Change it under `rooms` and `allow` in incipit.yaml.",
  ])
})

test("an answer to somebody who blocked the bot is given up, and others get theirs", async () => {
  const { troubles, store, heard } = await start()
  server.refuseNext("sendMessage", { code: 403, description: "Forbidden: bot was blocked by the user" })
  server.say(1, "hello")
  await expect.poll(() => troubles.length, WAIT).toBe(1)
  server.say(2, "hello")
  await expect.poll(() => sent().map(({ input }) => input.chat_id), WAIT).toEqual(["2"])
  expect(troubles).toEqual(["telegram: Telegram refused sendMessage: Forbidden: bot was blocked by the user"])
  // The server sees a message before the store learns that it was sent.
  await expect.poll(() => store.deliveries.nextDueInMs("telegram"), WAIT).toBeUndefined()
  expect((await heard()).length).toBe(2)
})

test("an answer that takes long to send holds up its own chat only", async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.onCall = async ({ method, input }) => method !== "sendMessage" || input.chat_id !== "1" || promise
  await start({ script: ({ message }) => `On ${message}` })
  server.say(1, "one")
  server.say(1, "two")
  server.say(2, "three")
  await expect.poll(() => sent().map(({ input }) => input.text), WAIT).toEqual(["On three"])
  resolve(true)
  await expect
    .poll(() => sent().map(({ input }) => input.text), WAIT)
    .toEqual(["On three", "On one", "On two"])
})

test("formatting that Telegram refuses is sent as plain text", async () => {
  const { troubles } = await start({ script: () => "At **nine**." })
  server.refuseNext("sendMessage", { code: 400, description: "Bad Request: can't parse entities" })
  server.say(1, "hello")
  await expect
    .poll(() => sent().map(({ input }) => [input.text, input.entities]), WAIT)
    .toEqual([["At nine.", []]])
  expect(troubles).toEqual([])
})
