// Conversations in the Claude Agent SDK that was installed in the cache folder, against a provider on loopback: with the
// adapter's chat, without, and with a system text that is made anew for each turn.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { openChat } from "../../../src/adapters/claude-agent/open-chat.ts"
import { TOOL } from "../../../test/adapters/harbour.ts"
import { baseVariables } from "../run-client.ts"

export type AgentChat = ReturnType<typeof openChat<{ name: string }, { now: string; tide?: string }>>

export interface ConversationOptions {
  readonly modules: string
  /** Its working directory and its home; the same for conversations that are compared. */
  readonly folder: string
  readonly url: string
  readonly chat?: AgentChat | undefined
  /** Made anew for each turn. */
  readonly system?: (() => string) | undefined
  readonly isStreamed: boolean
  /** Whether the SDK is to take the provider for Anthropic's own. */
  readonly isFirstParty: boolean
  /** The SDK's session to go on with. */
  readonly resume?: string | undefined
}

export interface Said {
  /** The pieces of the answer; one if it was not streamed. */
  readonly pieces: readonly string[]
  /** How the SDK says that it ended. */
  readonly end: string
}

export interface AgentConversation {
  say(words: string): Promise<Said>
  readonly session: () => string | undefined
}

export const MODEL = "claude-sonnet-5-5"

export async function openConversation(options: ConversationOptions): Promise<AgentConversation> {
  const { modules, folder, chat, isStreamed, isFirstParty, system } = options
  const { query, tool, createSdkMcpServer } = await load(modules, "@anthropic-ai/claude-agent-sdk/sdk.mjs")
  const { z } = await load(modules, "zod/index.js")
  const cwd = join(folder, "tree")
  mkdirSync(cwd, { recursive: true })
  const read = tool(
    TOOL.name,
    TOOL.description,
    { path: z.string() },
    async ({ path }: { path: string }) => ({
      content: [{ type: "text", text: TOOL.run(path) }],
    }),
  )
  const server = createSdkMcpServer({ name: "harbour", version: "1.0.0", tools: [read], alwaysLoad: true })
  const own = {
    ...{ model: MODEL, cwd, tools: [], settingSources: [], mcpServers: { harbour: server } },
    ...{ permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true },
    includePartialMessages: isStreamed,
    env: variablesFor(folder, options.url, isFirstParty),
  }
  let session = options.resume
  return {
    session: () => session,
    async say(words) {
      const asked = { ...own, ...(session !== undefined && { resume: session }) }
      const head = system ? { systemPrompt: { type: "custom", prompt: system(), snapshot: false } } : {}
      const run = query({
        prompt: chat ? chat.words(words) : words,
        options: chat ? chat.queryOptions(asked) : { ...asked, ...head },
      })
      const pieces: string[] = []
      let end = ""
      for await (const message of run) {
        chat?.take(message)
        session = message.session_id ?? session
        const { delta } = message.event ?? {}
        if (delta?.type === "text_delta") pieces.push(delta.text)
        if (message.type !== "result") continue
        end = `${message.subtype} ${message.is_error} ${message.api_error_status ?? ""}`
        if (!isStreamed) pieces.push(String(message.result))
      }
      return { pieces, end }
    },
  }
}

async function load(modules: string, path: string) {
  return import(pathToFileURL(join(modules, path)).href)
}

export function variablesFor(folder: string, url: string, isFirstParty: boolean): NodeJS.ProcessEnv {
  return {
    ...baseVariables(join(folder, "home"), "UTC"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    IS_SANDBOX: "1",
    ...(isFirstParty && { _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL: "1" }),
  }
}
