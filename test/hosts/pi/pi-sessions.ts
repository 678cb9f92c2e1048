// Sessions of the real pi in this process: the package that INCIPIT_PI names, with a home of its own and a provider on
// loopback. `npm run hosts` fetches it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import type { PiExtensionApi } from "../../../src/adapters/pi/open-chat.ts"
import type { HostConversation } from "../../adapters/contract.ts"
import { TOOL } from "../../adapters/harbour.ts"

/** The package of pi, as its folder. */
export const PI = process.env.INCIPIT_PI ?? ""
export const VERSION: string = JSON.parse(readFileSync(join(PI, "package.json"), "utf8")).version

/** What these tests use of pi's exports. */
interface PiExports {
  createAgentSession(options: object): Promise<{ session: PiSession }>
  DefaultResourceLoader: new (options: object) => { reload(): Promise<void> }
  ModelRuntime: {
    create(options: object): Promise<{ getModel(provider: string, id: string): object | undefined }>
  }
  SessionManager: { inMemory(cwd: string): SessionManager }
  SettingsManager: { inMemory(settings: object): object }
}

export interface PiSession {
  prompt(words: string): Promise<void>
  subscribe(listen: (event: PiEvent) => void): () => void
  setActiveToolsByName(names: readonly string[]): void
  dispose(): void
}

interface PiEvent {
  readonly type: string
  readonly assistantMessageEvent?: { readonly type: string; readonly delta?: string }
  readonly message?: {
    readonly role: string
    readonly stopReason?: string
    readonly errorMessage?: string
  }
}

interface SessionManager {
  getEntries(): readonly object[]
}

export type PiExtension = (pi: PiEvents & PiExtensionApi) => void

/** What extensions of these tests use beside. */
interface PiEvents {
  on(
    event: "before_agent_start",
    handler: (event: {
      systemPrompt: string
      systemPromptOptions: { cwd: string; sections: Record<string, string> }
    }) => { systemPrompt: string } | undefined,
  ): unknown
}

/** pi tells the model where it works and where it is installed, and both would cost tokens of their own. */
const samePlace: PiExtension = (api) => {
  api.on("before_agent_start", ({ systemPromptOptions: options }) => {
    options.cwd = "/harbour"
    options.sections.docs = "pi has documentation."
    return undefined
  })
}

const pi: PiExports = await import(pathToFileURL(join(PI, "dist/bundle/index.js")).href)

export const MODELS = {
  anthropic: { api: "anthropic-messages", id: "claude-sonnet-5-5", path: "" },
  openai: { api: "openai-responses", id: "gpt-5.2", path: "/v1" },
  google: { api: "google-generative-ai", id: "gemini-2.5-pro", path: "/v1beta" },
} as const

export type PiProvider = keyof typeof MODELS

export interface PiOptions {
  readonly url: string
  readonly provider: PiProvider
  readonly extensions: readonly PiExtension[]
  readonly after?: HostConversation | undefined
  /** Tools beside that of the contract. */
  readonly others?: readonly string[]
  /** What the model takes beyond the usual, by pi's names. */
  readonly compat?: object
}

export interface PiConversation extends HostConversation {
  readonly manager: SessionManager
  /** Starts with the first words. */
  session(): Promise<PiSession>
}

const home = mkdtempSync(join(tmpdir(), "incipit-pi-"))
process.on("exit", () => rmSync(home, { recursive: true, force: true }))
const CWD = join(home, "harbour")
mkdirSync(CWD, { recursive: true })
let homes = 0

export function piConversation(options: PiOptions): PiConversation {
  // Made by this function.
  const manager = (options.after as PiConversation | undefined)?.manager ?? pi.SessionManager.inMemory(CWD)
  let started: Promise<PiSession> | undefined
  const session = () => {
    started ??= startSession(options, manager)
    return started
  }
  return {
    manager,
    session,
    async say(words) {
      const running = await session()
      const pieces: string[] = []
      let failure: string | undefined
      const stop = running.subscribe(({ assistantMessageEvent: update, message }) => {
        if (update?.type === "text_delta") pieces.push(update.delta ?? "")
        if (message?.role === "assistant" && message.stopReason === "error") failure = message.errorMessage
      })
      await running.prompt(words)
      stop()
      if (failure !== undefined) throw new Error(failure)
      return pieces
    },
  }
}

async function startSession(options: PiOptions, sessionManager: SessionManager): Promise<PiSession> {
  const agentDir = join(home, String(++homes))
  mkdirSync(agentDir)
  const { api, id, path } = MODELS[options.provider]
  const model = { id, name: id, api, reasoning: false, input: ["text"], ...SIZES, compat: options.compat }
  const providers = {
    [options.provider]: { baseUrl: `${options.url}${path}`, apiKey: "none", api, models: [model] },
  }
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers }))
  const modelRuntime = await pi.ModelRuntime.create({
    authPath: join(agentDir, "auth.json"),
    modelsPath: join(agentDir, "models.json"),
  })
  const settingsManager = pi.SettingsManager.inMemory({
    compaction: { enabled: false },
    retry: { enabled: false, maxRetries: 0, provider: { maxRetries: 0 } },
  })
  const where = { cwd: CWD, agentDir, settingsManager }
  const resourceLoader = new pi.DefaultResourceLoader({
    ...where,
    extensionFactories: [samePlace, ...options.extensions],
  })
  await resourceLoader.reload()
  const tools = [TOOL.name, ...(options.others ?? [])]
  const { session } = await pi.createAgentSession({
    ...{ ...where, modelRuntime, resourceLoader, sessionManager, tools },
    model: modelRuntime.getModel(options.provider, id),
    thinkingLevel: "off",
    customTools: tools.map(toolNamed),
  })
  return session
}

const SIZES = {
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 8192,
}

function toolNamed(name: string): object {
  return {
    name,
    label: name,
    description: TOOL.description,
    parameters: TOOL.schema,
    execute: async (_id: string, { path }: { path: string }) => ({
      content: [{ type: "text", text: TOOL.run(path) }],
      details: undefined,
    }),
  }
}
