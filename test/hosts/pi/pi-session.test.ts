// What pi keeps and records beside its requests, and what other extensions and tools change.
import { expect, onTestFinished, test } from "vitest"
import { wireBlocks } from "../../../scripts/clients/provider/wire-blocks.ts"
import type { HostedCall } from "../../../src/adapters/host/hosted-call.ts"
import { openChat } from "../../../src/adapters/pi/open-chat.ts"
import { ADA, harbour, minute, TOOL, WORDS } from "../../adapters/harbour.ts"
import { type Provider, startProvider, type WireCall } from "../../adapters/provider.ts"
import { type PiExtension, type PiOptions, piConversation } from "./pi-sessions.ts"

async function start(): Promise<Provider> {
  const provider = await startProvider()
  onTestFinished(() => provider.close())
  return provider
}

function harbourChat(onCall?: (call: HostedCall) => void) {
  return openChat(harbour, ADA, { turn: ({ turn }) => ({ now: minute(turn) }), onCall })
}

test("pi's session keeps the head as its own section, and no turn context", async () => {
  const { url, calls } = await start()
  const chat = harbourChat()
  const conversation = piConversation({ url, provider: "anthropic", extensions: [chat.extension] })
  for (const words of WORDS.slice(0, 3)) await conversation.say(words, "streamed")
  const kept = JSON.stringify(conversation.manager.getEntries())
  expect(kept).toContain("tides-2.csv")
  expect(kept.split("You talk with Ada.")).toHaveLength(2)
  expect(kept).not.toContain("It is 8:")
  expect(kept).not.toContain("turn-context")
  expect(calls.at(-1)?.text).toContain("It is 8:03.")
})

/** System text and messages, in the order of the prefix. */
function messagesOf(call: WireCall | undefined): readonly string[] {
  const blocks = call === undefined ? [] : wireBlocks(call.body, call.format)
  return blocks.filter(({ tier }) => tier !== "tools").map(({ key }) => key)
}

test("each call is recorded as it was sent, with what pi says that it used", async () => {
  const { url, calls } = await start()
  const recorded: HostedCall[] = []
  const chat = harbourChat((call) => recorded.push(call))
  const conversation = piConversation({ url, provider: "anthropic", extensions: [chat.extension] })
  for (const words of WORDS.slice(0, 2)) await conversation.say(words, "streamed")
  expect(recorded.map(({ turn, step, model }) => `${turn}.${step} ${model}`)).toEqual([
    "1.1 anthropic/claude-sonnet-5-5",
    "1.2 anthropic/claude-sonnet-5-5",
    "2.1 anthropic/claude-sonnet-5-5",
  ])
  expect(recorded.map(({ request }) => request)).toEqual(calls.map(({ body }) => body))
  expect(recorded.map(({ usage }) => usage)).toEqual(calls.map(({ usage }) => usage))
})

test("a call that failed is not recorded, and the next one is", async () => {
  const provider = await start()
  const recorded: HostedCall[] = []
  const chat = harbourChat((call) => recorded.push(call))
  const { url } = provider
  const conversation = piConversation({ url, provider: "openai", extensions: [chat.extension] })
  provider.failNext(400)
  await expect(conversation.say("Please answer: first", "streamed")).rejects.toThrow("refused with 400")
  expect(recorded).toEqual([])
  await conversation.say("Please answer: again", "streamed")
  expect(recorded.map(({ request }) => request)).toEqual(provider.calls.map(({ body }) => body))
})

test("pi's own messages about a tool that is added later stay in their place", async () => {
  const bodiesOf = async (extensions: PiOptions["extensions"]) => {
    const { url, calls } = await start()
    const compat = { supportsMidConvoSystemMessages: true, supportsMidConvoToolChanges: true }
    const options = { url, provider: "anthropic", extensions, others: ["berths"], compat } as const
    const conversation = piConversation(options)
    const session = await conversation.session()
    session.setActiveToolsByName([TOOL.name])
    for (const words of WORDS.slice(0, 2)) await conversation.say(words, "streamed")
    session.setActiveToolsByName([TOOL.name, "berths"])
    await conversation.say(WORDS[3] ?? "", "streamed")
    return calls.slice(-2)
  }
  const alone = await bodiesOf([])
  const adapted = await bodiesOf([harbourChat().extension])
  for (const [before, after] of [alone, adapted]) {
    const earlier = messagesOf(before)
    expect(messagesOf(after).slice(0, earlier.length)).toEqual(earlier)
    expect(after?.text).toContain("tool_addition")
  }
})

test.each([false, true])(
  "an audience that may see less is not sent what another one saw (pi's own changes in place: %s)",
  async (supportsMidConvoSystemMessages) => {
    const { url, calls } = await start()
    const chat = openChat(
      harbour,
      { ...ADA, trust: "full" },
      {
        turn({ kind, turn }) {
          if (kind === "step") chat.update({ trust: "familiar" })
          return { now: minute(turn) }
        },
      },
    )
    const extensions = [chat.extension]
    const compat = { supportsMidConvoSystemMessages }
    const conversation = piConversation({ url, provider: "anthropic", extensions, compat })
    for (const words of WORDS.slice(0, 2)) await conversation.say(words, "streamed")
    expect(calls.map(({ text }) => text.includes("third bollard"))).toEqual([true, false, false])
    expect(calls[2]?.body.system).toEqual(calls[1]?.body.system)
    expect(calls[2]?.text.split("You talk with Ada.")).toHaveLength(2)
  },
)

test("an extension that has replaced the whole prompt gets the head after its text", async () => {
  const { url, calls } = await start()
  const replaces: PiExtension = (pi) => {
    pi.on("before_agent_start", () => ({ systemPrompt: "You are a pirate." }))
  }
  const extensions = [replaces, harbourChat().extension]
  const conversation = piConversation({ url, provider: "anthropic", extensions })
  for (const words of WORDS.slice(0, 2)) await conversation.say(words, "streamed")
  for (const { text } of calls) {
    expect(text).toContain("You are a pirate.\\n\\n<incipit>\\n")
    expect(text.split("You talk with Ada.")).toHaveLength(2)
  }
})

test("a changed input reaches the model, and the head stays", async () => {
  const { url, calls } = await start()
  const chat = harbourChat()
  const conversation = piConversation({ url, provider: "anthropic", extensions: [chat.extension] })
  await conversation.say(WORDS[1] ?? "", "streamed")
  chat.update({ name: "Bea" })
  await conversation.say(WORDS[3] ?? "", "streamed")
  const [before, after] = calls
  expect(after?.body.system).toEqual(before?.body.system)
  expect(after?.text).toContain("You talk with Bea.")
})
