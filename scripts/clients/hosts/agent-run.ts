// What the SDK sent in a conversation, without what differs for reasons of its own.
import { openChat } from "../../../src/adapters/claude-agent/open-chat.ts"
import type { HostedCall } from "../../../src/adapters/host/hosted-call.ts"
import { ADA, harbour, minute, WORDS } from "../../../test/adapters/harbour.ts"
import { startProvider, type WireCall } from "../../../test/adapters/provider.ts"
import { objectsOf, type WireBlock, wireBlocks } from "../provider/wire-blocks.ts"
import { type AgentChat, openConversation, type Said } from "./agent-conversation.ts"

export interface AgentPlace {
  readonly modules: string
  readonly folder: string
}

export interface RunOptions {
  readonly place: AgentPlace
  readonly kind: "adapted" | "bare" | ((now: string) => string)
  readonly isStreamed: boolean
  readonly isFirstParty: boolean
}

export interface AgentRun {
  readonly calls: readonly WireCall[]
  readonly said: readonly Said[]
  readonly chat: AgentChat | undefined
  readonly heard: readonly HostedCall[]
}

/** Ten turns, every second one with a tool. */
export async function runTurns({ place, kind, ...how }: RunOptions): Promise<AgentRun> {
  const provider = await startProvider()
  const heard: HostedCall[] = []
  const chat = kind === "adapted" ? openHarbour(heard) : undefined
  let turn = 0
  const conversation = await openConversation({
    ...{ ...place, ...how, url: provider.url, chat },
    system: typeof kind === "function" ? () => kind(minute(turn)) : undefined,
  })
  const said: Said[] = []
  for (const words of WORDS) {
    turn += 1
    said.push(await conversation.say(words))
  }
  await provider.close()
  return { calls: provider.calls, said, chat, heard }
}

export function openHarbour(heard: HostedCall[] = []): AgentChat {
  return openChat(harbour, ADA, {
    turn: ({ turn }) => ({ now: minute(turn) }),
    onCall: (call) => heard.push(call),
  })
}

export function blocksOf({ body, format }: WireCall): readonly WireBlock[] {
  return wireBlocks(body, format)
}

export function keysOf(call: WireCall): readonly string[] {
  return blocksOf(call).map(({ tier, key }) => `${tier} ${key}`)
}

/** The system text after what the SDK writes before it. */
export function headOf(call: WireCall): string {
  const texts = objectsOf(call.body.system).map(({ text }) => String(text))
  return texts
    .filter((text) => !/^(?:x-anthropic-billing-header|You are a Claude agent,)/.test(text))
    .join("")
}

/** The conversation without what our hooks have added. */
export function conversationOf(call: WireCall): readonly string[] {
  return blocksOf(call)
    .filter(({ tier }) => tier === "messages")
    .map(({ role, text }) => `${role} ${text.replace(ADDED, "\n")}`.replaceAll(/\n{2,}/g, "\n").trim())
    .filter((line) => line !== "system")
}

/** How the SDK names what a hook has added. */
const ADDED =
  /\n*(?:UserPromptSubmit|PostToolBatch) hook additional context: (?:<person>[\s\S]*?<\/person>\s*)?<turn-context>[\s\S]*?<\/turn-context>\s*/g
