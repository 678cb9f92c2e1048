// The world of the agent's tests: a workspace in a temporary folder, local servers of providers, a clock that a test
// moves, and as many agents between them as are opened. Nothing sleeps. `open` is for tests that script a server and
// look at the store; `startAgent` for whole conversations as a provider of any protocol sees them.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { messagesOf } from "../../../src/agent/models/item-messages.ts"
import type { AgentOptions, RunningAgent, SendOptions } from "../../../src/agent/setup/agent.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import type { LiveEvent, SentReply } from "../../../src/agent/turn/live-event.ts"
import { approvables } from "../../../src/approval/approvable.ts"
import { withApprovals } from "../../../src/approval/approvals.ts"
import { approveFolder, folderState } from "../../../src/approval/folder.ts"
import { isSent, type Message } from "../../../src/core/model/message.ts"
import { inOrder } from "../../../src/database/contract/in-order.ts"
import type { RecordStore } from "../../../src/database/contract/record/record-store.ts"
import type { StoredReply } from "../../../src/database/contract/reply.ts"
import { itemIn } from "../../../src/database/rows/readable.ts"
import { itemOf } from "../../../src/database/rows/session-rows.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import type { Database } from "../../../src/database/sqlite/database.ts"
import type { Migration } from "../../../src/database/sqlite/migrations.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { openRecordFile } from "../../../src/database/sqlite/record/open-record.ts"
import { RECORD_MIGRATIONS } from "../../../src/database/sqlite/record/schema.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import type { RunnableTool } from "../../../src/tools/define-tool.ts"
import { profileModule } from "../../../src/workspace/profile/profile-table.ts"
import { MODELS } from "./ask-model.ts"
import { type Exchange, type ReportingOptions, startReportingServer } from "./reporting-server.ts"
import type { Part, Script } from "./servers/script.ts"
import { type ProviderServer, type ServerOptions, startServer } from "./servers/server.ts"

export const MODEL = "anthropic/claude-sonnet-5-5"
/** 2:47 in the morning. */
export const NIGHT = Date.UTC(2026, 5, 15, 2, 47)

const MORNING = Date.UTC(2026, 5, 15, 7)

const FILES: Readonly<Record<string, string>> = {
  "incipit.yaml": "profile: incipit\nfeeds: { communication: off }\nenvironment: { host: off }\n",
  "SOUL.md": "You keep the light of a small island.\n",
}

type Files = Readonly<Record<string, string>>

/** A workspace of a few files; `files` add to them or take their place. */
export function workspace(files: Files = {}): string {
  const root = folderWith({ ...FILES, ...files })
  onTestFinished(() => remove(root))
  return root
}

function folderWith(files: Files): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-agent-")))
  for (const [path, text] of Object.entries(files)) write(root, path, text)
  return root
}

function remove(...paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}

export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

export type Scripts = readonly Script[] | ServerOptions["answer"]

/** One script for each request, in order; what comes after the last one is answered as the last one was. */
export async function server(scripts: Scripts, now?: () => number): Promise<ProviderServer> {
  const answer =
    typeof scripts === "function"
      ? scripts
      : ({ calls }: { readonly calls: number }) => scripts[Math.min(calls, scripts.length) - 1] as Script
  const started = await startServer({ protocol: "anthropic", answer, ...(now && { now }) })
  onTestFinished(() => started.close())
  return started
}

export function say(text: string): Script {
  return { kind: "reply", parts: [{ text }] }
}

/** A step that calls tools. */
export function call(...calls: readonly (readonly [name: string, input: unknown])[]): Script {
  return { kind: "reply", parts: calls.map(([name, input]): Part => ({ call: { name, input } })) }
}

export function refuse(status: number, headers: Readonly<Record<string, string>> = {}): Script {
  return { kind: "error", status, headers }
}

export interface Clock {
  readonly now: () => number
  /** What was waited for, in order: waiting moves the clock. */
  readonly waits: readonly number[]
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  set(at: number): void
}

export function clock(start = NIGHT): Clock {
  let at = start
  const waits: number[] = []
  return {
    now: () => at,
    waits,
    async wait(ms, signal) {
      waits.push(ms)
      if (signal.aborted) throw signal.reason
      at += ms
    },
    set(to) {
      at = to
    },
  }
}

export interface Opened {
  readonly agent: RunningAgent
  /** What was handed over to nobody who waited. */
  readonly late: StoredReply[]
  readonly notices: string[]
}

export interface OpenOptions extends Partial<AgentOptions> {
  /** What nobody passes to the agent. */
  readonly without?: readonly ("approve" | "notify" | "deliver")[]
}

/** Closed at the end of the test, if it is not before. */
export async function open(
  root: string,
  from: Pick<ProviderServer, "env"> | undefined,
  { without = [], ...options }: OpenOptions = {},
): Promise<Opened> {
  const late: StoredReply[] = []
  const notices: string[] = []
  const usual = {
    approve: async () => "yes" as const,
    notify: (text: string) => void notices.push(text),
    deliver: (reply: StoredReply) => void late.push(reply),
  }
  for (const name of without) Reflect.deleteProperty(usual, name)
  const agent = await openAgent({
    workspace: root,
    home: join(root, "no-home"),
    state: join(root, ".incipit"),
    timeZone: "UTC",
    env: from?.env ?? {},
    ...(from && { model: MODEL }),
    ...usual,
    // So that what is waited for is known.
    random: () => 0,
    ...options,
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= agent.close()
    return closing
  }
  onTestFinished(close)
  return { agent: Object.assign(Object.create(agent), { close }), late, notices }
}

export interface StartOptions
  extends Omit<AgentOptions, "workspace" | "now" | "env" | "home">,
    Omit<ReportingOptions, "now"> {
  /** A folder that is copied; else the workspace has just `files`. */
  readonly like?: string
  readonly files?: Files
}

/** An agent with its own workspace, home and server. */
export interface StartedAgent {
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

/** The caller closes it. Everything that the folder brings is approved. */
export async function startAgent(options: StartOptions): Promise<StartedAgent> {
  const { protocol, like, files = {}, answer, ...rest } = options
  const [folder, home] = [folderWith({}), folderWith({})]
  if (like !== undefined) cpSync(like, folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) write(folder, path, text)
  approveServers(folder, home)
  let time = MORNING
  const now = () => {
    time += TICK_MS
    return time
  }
  const { server, exchanges } = await startReportingServer({ protocol, answer, now: () => time })
  const events: LiveEvent[] = []
  const clear = async () => {
    await server.close()
    remove(folder, home)
  }
  const agent = await openAgent({
    ...{ model: MODELS[protocol], timeZone: "UTC", directory: folder, wait: async () => {}, ...rest },
    ...{ workspace: folder, home, state: join(folder, ".incipit"), now },
    env: { ...server.env, SHELL: "/bin/sh" },
  }).catch(async (error: unknown) => {
    await clear()
    throw error
  })
  return {
    ...{ agent, folder, server, exchanges, events, now },
    write: (path, text) => write(folder, path, text),
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

export function tool(
  name: string,
  run: RunnableTool["run"],
  more: Readonly<Partial<RunnableTool & { isRepeatable: boolean }>> = {},
): RunnableTool {
  const parameters = { type: "object", properties: {}, additionalProperties: true }
  return { name, description: `Does what ${name} does.`, parameters, run, ...more }
}

/** Events of a turn, without what depends on chance or time. */
export function collect(): { readonly tell: (event: LiveEvent) => void; readonly events: LiveEvent[] } {
  const events: LiveEvent[] = []
  return { events, tell: (event) => void events.push(event) }
}

/** The conversation of a session, one line a part, without tails. */
export function transcript(root: string, session: string): readonly string[] {
  const sql = "SELECT * FROM items WHERE session_id = ? AND is_past = 0 ORDER BY id"
  const items = inStore(root, (store) =>
    store.all(sql, session).map((row) => itemOf(row, itemIn(String(row.item)))),
  )
  return messagesOf(inOrder(items)).flatMap(linesOf)
}

function linesOf({ role, parts }: Message): readonly string[] {
  return parts.filter(isSent).flatMap((part) => {
    if (part.kind === "text") return part.tail ? [] : [`${role}: ${part.text.trim()}`]
    if (part.kind === "tool-call") return [`calls ${part.name} ${JSON.stringify(part.input)}`]
    if (part.kind === "native") return [`${role}: [${part.format}]`]
    return [`${part.isError ? "error" : "result"}: ${part.text}`]
  })
}

/** All sessions, those of delegated parts too, most recently used first. */
export function allSessions(root: string): readonly { id: string; who: string; situation: string }[] {
  const sql = "SELECT id, who, situation FROM sessions ORDER BY used_at DESC, id DESC"
  return inStore(root, (store) =>
    store.all(sql).map(({ id, who, situation }) => ({
      ...{ id: String(id), who: String(who), situation: String(situation) },
    })),
  )
}

/** Asks the agent's store. */
export function inStore<T>(root: string, ask: (database: Database) => T): T {
  return inFile(join(root, ".incipit", "agent.db"), STORE_MIGRATIONS, ask)
}

/** Asks the record as programs do. */
export async function ofRecord<T>(root: string, ask: (store: RecordStore) => Promise<T>): Promise<T> {
  const store = openRecordFile(join(root, ".incipit", "record.db"), { readOnly: true })
  try {
    return await ask(store)
  } finally {
    await store.close()
  }
}

export function inRecord<T>(root: string, ask: (database: Database) => T): T {
  return inFile(join(root, ".incipit", "record.db"), RECORD_MIGRATIONS, ask)
}

function inFile<T>(path: string, migrations: readonly Migration[], ask: (database: Database) => T): T {
  const database = openDatabase(path, { migrations, readOnly: true })
  try {
    return ask(database)
  } finally {
    database.close()
  }
}

/** Types of all events of a turn, in order; those of all turns without one. */
export function eventTypes(root: string, turn?: string): readonly string[] {
  return inRecord(root, (database) =>
    database
      .all(
        `SELECT event_type FROM events WHERE ${turn === undefined ? "1" : "turn_id = ?"} ORDER BY id`,
        ...(turn === undefined ? [] : [turn]),
      )
      .map(({ event_type: type }) => String(type)),
  )
}

/** Ids depend on chance. */
export function masked(text: string): string {
  return (
    text
      .replaceAll(/\b01[0-9a-hjkmnp-tv-z]{18}\b/g, "<id>")
      // The path of the folder is another one every time, and takes another number of tokens.
      .replaceAll(
        /(?<!sections=)\b\d[\d,]*(?= (?:cached )?tokens)|(?<=\b(?:rewrites|head|tokens|\w+_tokens)"?[:=])\d+/g,
        "<n>",
      )
      .replaceAll(/\$0\.\d+/g, "$<n>")
  )
}
