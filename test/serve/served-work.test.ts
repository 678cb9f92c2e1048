// What a gateway does besides HTTP: channels of the configuration, the schedule, messages that were left, and stopping.
import { expect, test, vi } from "vitest"
import { enter, leave } from "../../src/agent/inbox/owner.ts"
import type { OfflineScript } from "../../src/agent/offline/scripted.ts"
import type { ChannelHost } from "../../src/serve/channels/channel.ts"
import { configuredChannels } from "../../src/serve/gateway/configured-channels.ts"
import { fakeTelegram } from "./channels/fake-telegram.ts"
import { openTestGateway } from "./gateway.ts"

const TIME = { interval: 10, timeout: 60_000 }

test("a channel of incipit.yaml answers through the agent that it names, with its secret from the environment", async () => {
  const server = await fakeTelegram()
  const serve = {
    channels: { telegram: { token: "BOT", url: `${server.url}/`, agent: "tide", strangers: "public" } },
  } as const
  const { store, close } = await openTestGateway({
    agents: ["tide"],
    channels: configuredChannels({ serve }, { env: { BOT: ` ${server.token}\n` }, now: Date.now }),
    script: ({ message }) => `You said: ${message.trim()}`,
  })
  server.say(7, "hello")
  const sent = await vi.waitUntil(() => server.calls.find(({ method }) => method === "sendMessage"), TIME)
  expect(sent.input).toMatchObject({ chat_id: "7", text: "You said: hello" })
  expect((await store.sessions.list("tide")).map(({ who }) => who)).toEqual(["unknown:telegram:7"])
  await close()
  await server.close()
})

test.each([
  [
    { telegram: { token: "BOT" } },
    "serve.channels.telegram.token names the environment variable BOT, which is not set",
  ],
  [
    { webhook: { secret: "HOOK", url: "https://example.org" } },
    "serve.channels.webhook.secret names the environment variable HOOK, which is not set",
  ],
])("a secret that is not set stops the start: %o", (channels, message) => {
  const env = { BOT: " ", HOOK: undefined }
  expect(() => configuredChannels({ serve: { channels } }, { env, now: Date.now })).toThrow(message)
})

test("an unknown agent of a channel stops the start", async () => {
  const channel = { name: "test", parts: () => [], send: async () => undefined }
  const policy = { strangers: "silent", rooms: "mentions" } as const
  const opened = openTestGateway({ channels: [{ channel, policy, agent: "herring" }] })
  await expect(opened).rejects.toThrow("serve.channels.test.agent: there is no agent herring")
})

test("the schedule runs, its notice reaches the owner's channel, and left messages are answered", async () => {
  const sent: unknown[] = []
  const channel = {
    name: "test",
    parts: (text: string) => [text],
    send: async ({ place, body }: { place: { channel: string }; body: string }) => {
      sent.push([place.channel, body])
      return undefined
    },
  }
  let now = Date.UTC(2026, 10, 16, 9)
  const { store } = await openTestGateway({
    owner: "test:1",
    channels: [{ channel, policy: { strangers: "silent", rooms: "mentions" } }],
    now: () => now,
    script: ({ message, results }) => {
      if (!message.includes("tide")) return "Answered late."
      return results.length === 0 ? [{ name: "notify_user", input: { text: "High water at ten." } }] : "Done."
    },
    async before({ schedule, inbox, sessions }) {
      const { id } = await schedule.add("main", { cron: "* * * * *", run: "Look up the tide." })
      await schedule.settled("main", [id])
      now += 60_000
      const key = {
        agent: "main",
        who: "person:bo",
        situation: "dm",
        trust: "familiar",
        mode: "full",
      } as const
      const { id: session } = await sessions.create("s", key)
      const message = { as: "bo", channel: "test:2", text: "hello" }
      // Of an agent of this process that is no longer open.
      const gone = enter()
      leave(gone)
      await inbox.receive({
        id: "left",
        turn: "t",
        session,
        message,
        takenBy: gone,
      })
    },
  })
  await vi.waitUntil(() => sent.length >= 2, TIME)
  expect(sent).toEqual(
    expect.arrayContaining([
      ["test:1", "High water at ten."],
      ["test:2", "Answered late."],
    ]),
  )
  // The scheduled turn ends after its notice was sent.
  await vi.waitFor(async () => expect(await store.outbox.unsent("main")).toEqual([]), TIME)
})

test("stopping puts back a turn that waits for approval, and the next process asks again", async () => {
  const sent: string[] = []
  const channel = {
    name: "test",
    parts: (text: string) => [text],
    async send({ body }: { body: string }) {
      sent.push(body)
      return undefined
    },
  }
  const arriving = {
    ...channel,
    async run(host: ChannelHost, signal: AbortSignal) {
      const message = { place: { channel: "test:1" }, sender: "test:1", isRoom: false, isAddressed: true }
      await host.take({ id: "1", message: { ...message, text: "run it" } })
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
    },
  }
  const policy = { strangers: "silent", rooms: "mentions" } as const
  const script: OfflineScript = ({ results: [result] }) =>
    result === undefined ? [{ name: "shell", input: { command: "echo herring" } }] : result.text
  const warned: string[] = []
  const warn = (line: string) => warned.push(line)
  const first = await openTestGateway({ channels: [{ channel: arriving, policy }], script, warn })
  await vi.waitUntil(async () => (await first.approvals.open())[0], TIME)
  await first.close()
  expect([sent, warned]).toEqual([[], []])
  const next = await openTestGateway({ channels: [{ channel, policy }], script, warn, beside: first })
  // Nobody has said yes, so nothing was run, and it is asked again.
  const question = await vi.waitUntil(async () => (await next.approvals.open())[0], TIME)
  expect(question.request).toMatchObject({ kind: "shell", command: "echo herring" })
  expect(await next.approvals.answer(question.id, "yes")).toBe(true)
  await vi.waitUntil(() => sent.length > 0, TIME)
  await next.close()
  expect([sent, warned]).toEqual([["exit code 0\nherring"], []])
})
