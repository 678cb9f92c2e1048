// A real agent with a real store that people reach over channels, for tests.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { offlineModel } from "../../../src/agent/offline/offline.ts"
import type { OfflineScript } from "../../../src/agent/offline/scripted.ts"
import type { RunningAgent } from "../../../src/agent/setup/agent.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import type { MessagePart } from "../../../src/core/model/message.ts"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { ChannelPolicy } from "../../../src/serve/channels/admission.ts"
import type { Channel } from "../../../src/serve/channels/channel.ts"
import { type ChannelConnections, connectChannels } from "../../../src/serve/channels/connect-channels.ts"
import { loadConfig } from "../../../src/sources/config/config.ts"
import { personOn } from "../../../src/sources/config/policy.ts"

export interface Talking {
  readonly agent: RunningAgent
  readonly store: AgentStore
  readonly connections: ChannelConnections
  /** What was recorded as `channel_error`. */
  readonly troubles: readonly string[]
  /** What people said in all conversations, as the model got it. */
  heard(): Promise<readonly string[]>
}

export interface TalkingOptions {
  readonly channel: Channel
  readonly policy?: Partial<ChannelPolicy>
  readonly config?: string
  /** Further files of the workspace. */
  readonly files?: Readonly<Record<string, string>>
  readonly script?: OfflineScript
}

const OPEN: ChannelPolicy = { strangers: "public", rooms: "mentions" }

export async function talking(options: TalkingOptions): Promise<Talking> {
  const { channel, policy, config = "", files = {}, script } = options
  const folder = mkdtempSync(join(tmpdir(), "channels-"))
  for (const [name, text] of Object.entries({ ...files, "incipit.yaml": config }))
    writeFileSync(join(folder, name), text)
  const loaded = loadConfig(join(folder, "incipit.yaml"), "incipit.yaml").config
  const store = await openStore(join(folder, "state", "agent.db"))
  const troubles: string[] = []
  const connections = connectChannels({
    store,
    channels: [{ channel, policy: { ...OPEN, ...policy } }],
    acquaintance: {
      isUser: (identity) => personOn(loaded, identity) !== undefined,
      isRoom: (identity) => Object.hasOwn(loaded.rooms ?? {}, identity),
    },
    random: () => 0,
    trouble: (name, error) =>
      troubles.push(`${name}: ${error instanceof Error ? error.message : String(error)}`),
  })
  const agent = await openAgent({
    ...{ workspace: folder, store, state: join(folder, "state"), deliver: connections.deliver },
    ...{ env: {}, home: folder, record: false, memory: false },
    model: offlineModel(script && { script }),
  })
  connections.start(() => agent)
  onTestFinished(async () => {
    await connections.stop()
    await agent.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { agent, store, connections, troubles, heard: () => heardIn(store) }
}

async function heardIn(store: AgentStore): Promise<readonly string[]> {
  const told: string[] = []
  for (const { id } of await store.sessions.list("main"))
    for (const { item } of await store.transcripts.read(id))
      if (item.kind === "message" && item.message.role === "user")
        told.push(item.message.parts.flatMap(wordsOf).join("\n"))
  return told
}

/** Without what the agent adds to each turn. */
function wordsOf(part: MessagePart): readonly string[] {
  if (part.kind === "text") return part.text.startsWith("<turn-context>") ? [] : [part.text]
  return [JSON.stringify(part)]
}
