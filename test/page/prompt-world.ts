// The lighthouse of the examples as an agent that people have talked to: turns with tools, a pause longer than the cache
// lives, and a file that was edited. Its provider is a local server that keeps a prompt cache by Anthropic's rules.
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import type { Part, Script } from "../agent/world/servers/script.ts"
import { type ServerRequest, startServer } from "../agent/world/servers/server.ts"
import { openWholeGateway, type WholeGateway } from "../serve/whole-gateway.ts"
import { type OpenedPage, type OpenOptions, openPage } from "./browser.ts"

const MINUTE = 60_000
const MORNING = Date.UTC(2026, 10, 18, 9, 14)

export interface PromptWorldOptions {
  /** Files to write into the workspace before the agent starts. */
  readonly files?: Readonly<Record<string, string>>
  /** Who talks; the owner if left out. */
  readonly as?: string
  /** What is said in each turn; the third comes after a pause of 41 minutes. */
  readonly messages?: readonly string[]
}

export interface PromptWorld extends WholeGateway {
  readonly workspace: string
  /** Sends a message as the owner into the session of the one before. */
  send(text: string): Promise<string>
  later(minutes: number): void
}

const MESSAGES = [
  "When is the next tide window for the jetty?",
  "Who has booked the winch for Friday?",
  "I am back. Is the lamp due for service?",
  "Read the lamp log, please.",
  "Thanks. That is all for today.",
]

const call = (name: string, input: unknown): Part => ({ call: { name, input } })

/** What the model does in each of its calls; from then on it only talks. */
const STEPS: readonly (readonly Part[])[] = [
  [call("grep", { pattern: "2026", path: "data" })],
  [{ text: "The jetty is free from 11:20 to 13:05." }],
  [call("read", { path: "MEMORY.md" }), call("read", { path: "rules/bookings.md" })],
  [{ text: "Jonas has it on Friday." }],
  [call("read", { path: "data/lamp-log.md" })],
  [{ text: "The lamp is due in two weeks." }],
  [call("read", { path: "data/tides.csv" })],
  [call("read", { path: "data/lamp-log.md" })],
  [{ text: "It was serviced in October." }],
]

function answerTo({ calls }: ServerRequest): Script {
  return { kind: "reply", parts: STEPS[calls - 1] ?? [{ text: "Good." }] }
}

export async function openPromptWorld(options: PromptWorldOptions = {}): Promise<PromptWorld> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-page-"))
  const workspace = join(folder, "workspace")
  cpSync("examples/lighthouse", workspace, { recursive: true })
  for (const [path, text] of Object.entries(options.files ?? {})) writeFileSync(join(workspace, path), text)
  let time = MORNING
  const now = () => time
  const provider = await startServer({ protocol: "anthropic", answer: answerTo, now })
  const gateway = await openWholeGateway({
    folder,
    env: provider.env,
    model: "anthropic/claude-sonnet-5-5",
    now,
    timeZone: "UTC",
  })
  const token = await gateway.token(options.as ?? "ada")
  let session: string | undefined
  const send = async (text: string) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(session !== undefined && { "x-incipit-session": session }),
      },
      body: JSON.stringify({ model: "main", messages: [{ role: "user", content: text }] }),
    })
    if (!response.ok) throw new Error(await response.text())
    session = response.headers.get("x-incipit-session") ?? session
    time += 2 * MINUTE
    return session ?? ""
  }
  for (const [at, text] of (options.messages ?? MESSAGES).entries()) {
    if (at === 2) time += 41 * MINUTE
    if (at === 4) appendFileSync(join(workspace, "SOUL.md"), "\nKeep answers short on Fridays.\n")
    await send(text)
  }
  return {
    ...{ ...gateway, workspace, send },
    later: (minutes) => {
      time += minutes * MINUTE
    },
    async close() {
      await gateway.close()
      await provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Opens the page of one world for all tests of a file: for those who only look, as its operator. */
export function oneWorldToLookAt(): (options: Partial<OpenOptions>) => Promise<OpenedPage> {
  let opened: Promise<PromptWorld> | undefined
  afterAll(async () => (await opened)?.close())
  return async (options) => {
    opened ??= openPromptWorld()
    const { url, token } = await opened
    return openPage({ url, token: await token(undefined, "dm", ["talk", "read", "operate"]), ...options })
  }
}
