// A whole agent over a local server of a provider: a workspace in a temporary folder, a clock that moves a little with
// every look at it, and all that went over the wire. For tests that look at conversations as a provider sees them, of
// any protocol; what goes wrong, and what several agents do with one workspace, is for `fault-world.ts`.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createPromptCache, type MessagesBody } from "../../examples/programs/messages-api.ts"
import type { AgentOptions, RunningAgent, SendOptions } from "../../src/agent/setup/agent.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import type { LiveEvent, SentReply } from "../../src/agent/turn/live.ts"
import { approvables } from "../../src/approval/approvable.ts"
import { withApprovals } from "../../src/approval/approvals.ts"
import { approveFolder, folderState } from "../../src/approval/folder.ts"
import type { Usage } from "../../src/render/cache/price.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { profileModule } from "../../src/workspace/profile/profile-table.ts"
import { MODELS } from "./ask.ts"
import type { Json } from "./servers/refusals.ts"
import type { Part } from "./servers/script.ts"
import { type ProtocolName, type ProviderServer, startServer } from "./servers/server.ts"

const MORNING = Date.UTC(2026, 5, 15, 7)

/** What a request was about, as far as a scripted model looks at it. */
export interface Asked {
  readonly body: Json
  /** How many requests there were, this one among them. */
  readonly calls: number
}

export interface LocalOptions extends Omit<AgentOptions, "workspace" | "now" | "env" | "home"> {
  readonly protocol: ProtocolName
  /** A folder that is copied; else the workspace has just `files`. */
  readonly like?: string
  readonly files?: Readonly<Record<string, string>>
  readonly answer: (asked: Asked) => readonly Part[]
}

/** A request with what the provider said of it. */
export interface Exchange {
  readonly text: string
  /** As the provider reads it. */
  readonly sent: Json
  /** With each tail in one message, whatever the model takes. */
  readonly body: Json
  readonly usage: Usage
}

export interface LocalAgent {
  readonly agent: RunningAgent
  readonly folder: string
  readonly server: ProviderServer
  readonly exchanges: readonly Exchange[]
  readonly events: readonly LiveEvent[]
  readonly now: () => number
  pass(ms: number): void
  write(path: string, text: string): void
  send(text: string, options?: SendOptions): Promise<SentReply>
  close(): Promise<void>
}

/** So much passes with every look at the clock. */
const TICK_MS = 7

export async function startLocalAgent(options: LocalOptions): Promise<LocalAgent> {
  const { protocol, like, files = {}, answer, ...rest } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-agent-")))
  const home = realpathSync(mkdtempSync(join(tmpdir(), "incipit-home-")))
  if (like !== undefined) cpSync(like, folder, { recursive: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  approveServers(folder, home)
  let time = MORNING
  const now = () => {
    time += TICK_MS
    return time
  }
  const { server, exchanges } = await reportingServer(protocol, answer, () => time)
  const events: LiveEvent[] = []
  const clear = async () => {
    await server.close()
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
  }
  const agent = await openAgent({
    ...{ model: MODELS[protocol], timeZone: "UTC", directory: folder, wait: async () => {}, ...rest },
    ...{
      workspace: folder,
      home,
      state: join(folder, ".incipit"),
      now,
      env: { ...server.env, SHELL: "/bin/sh" },
    },
  }).catch(async (error: unknown) => {
    await clear()
    throw error
  })
  return {
    ...{ agent, folder, server, exchanges, events, now, write },
    pass: (ms) => {
      time += ms
    },
    send: (text, given = {}) => agent.send(text, { observe: (event) => events.push(event), ...given }),
    async close() {
      await agent.close()
      await clear()
    },
  }
}

/** As somebody does who has looked at them. */
export function approveServers(root: string, home: string): void {
  const workspace = openWorkspace(root, { home })
  const all = approvables(workspace)
  const { brings } = folderState(workspace, { home, profile: profileModule(workspace.config) })
  if (brings.length > 0) approveFolder(root, brings, { home, at: MORNING })
  if (all.length > 0)
    withApprovals(home, (approvals) => {
      for (const { kind, name, digest } of all) approvals.approve({ kind, name, digest, at: MORNING })
    })
}

/** Reports by the rules of Anthropic's cache; for others, that the bytes which stood there before were read. */
async function reportingServer(
  protocol: ProtocolName,
  answer: LocalOptions["answer"],
  now: () => number,
): Promise<{ readonly server: ProviderServer; readonly exchanges: readonly Exchange[] }> {
  const exchanges: Exchange[] = []
  const cached = createPromptCache({ now, minimum: 1_024 })
  const server = await startServer({
    protocol,
    now,
    answer: ({ body, calls }) => {
      const text = server.sent.at(-1) ?? ""
      const sent: Json = JSON.parse(text)
      const parts = answer({ body, calls })
      const input = protocol === "anthropic" ? byBreakpoints(cached, sent) : byPrefix(exchanges, text)
      const usage: Usage = { ...input, output: o200k.count(JSON.stringify(parts)) }
      exchanges.push({ text, sent, body, usage })
      return { kind: "reply", parts, usage }
    },
  })
  return { server, exchanges }
}

function byBreakpoints(
  cached: ReturnType<typeof createPromptCache>,
  body: MessagesBody,
): Omit<Usage, "output"> {
  const { input_tokens: uncached, cache_read_input_tokens: read, cache_creation } = cached(body)
  const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = cache_creation
  return { uncached, read, write: { ...(short > 0 && { "5m": short }), ...(long > 0 && { "1h": long }) } }
}

function byPrefix(before: readonly Exchange[], text: string): Omit<Usage, "output"> {
  const same = Math.max(0, ...before.map((one) => commonLength(one.text, text)))
  const read = o200k.count(text.slice(0, same))
  return { uncached: o200k.count(text) - read, read, write: {} }
}

function commonLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
