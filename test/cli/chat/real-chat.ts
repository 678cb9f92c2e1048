// The chat on the real agent, for tests: a workspace in a temporary folder, a real terminal, and the offline model or a
// local server of a provider. Screens are compared without what depends on chance.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished } from "vitest"
import type { FlagsOf } from "../../../src/cli/command-line/invocation.ts"
import type { Part, Script } from "../../agent/world/servers/script.ts"
import { type ProviderServer, startServer } from "../../agent/world/servers/server.ts"
import { bundled } from "../../bundled.ts"
import { type Opened, openProgram, type ScreenOptions } from "./terminal.ts"

const FILES: Readonly<Record<string, string>> = {
  "incipit.yaml":
    "profile: incipit\nfeeds: { communication: off }\nenvironment: { host: off, os: linux, arch: x64, shell: sh, runtime: off, session: off }\nprompt: { sections: { directory: off } }\nusers: { ada: { trust: full, match: ['terminal:*'] }, bob: { trust: familiar } }\n",
  "IDENTITY.md": "---\nname: Keeper\n---\n",
  "SOUL.md": "You keep the light of a small island.\n",
  "data/tides.csv": "day,time,height\nMonday,14:20,3.4\nTuesday,15:05,3.2\n",
}

/** A workspace of a few files; `files` add to them or take their place. */
export function workspace(files: Readonly<Record<string, string>> = {}, like?: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-chat-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  if (like !== undefined) cpSync(like, root, { recursive: true })
  for (const [path, text] of Object.entries(like === undefined ? { ...FILES, ...files } : files))
    write(root, path, text)
  return root
}

export function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** One script for each request, in order; what comes after the last one is answered as the last one was. */
export async function provider(...scripts: readonly Script[]): Promise<ProviderServer> {
  const started = await startServer({
    protocol: "anthropic",
    now: () => MORNING,
    answer: ({ calls }) => scripts[Math.min(calls, scripts.length) - 1] ?? answer("Nothing more."),
  })
  onTestFinished(() => started.close())
  return started
}

const MORNING = Date.UTC(2026, 5, 15, 7)

export function answer(text: string): Script {
  return { kind: "reply", parts: [{ text }] }
}

/** A step that calls a tool, after some words. */
export function call(name: string, input: unknown, text?: string): Script {
  const words: readonly Part[] = text === undefined ? [] : [{ text }]
  return { kind: "reply", parts: [...words, { call: { name, input } }] }
}

interface SentMessage {
  readonly role: string
  readonly content: readonly { readonly type: string; readonly text?: string }[]
}

/** The conversation of a request, one line for each message, without what the agent wrote into it. */
export function wordsIn(body: string | undefined): readonly string[] {
  // The server has checked it.
  const { messages } = JSON.parse(body ?? "") as { readonly messages: readonly SentMessage[] }
  return messages.map(({ role, content }) => {
    const parts = content.map(({ type, text }) => text ?? `(${type})`)
    return [role, ...parts.filter((text) => !text.startsWith("<turn-context>"))].join(": ")
  })
}

export interface RealOptions extends ScreenOptions {
  readonly flags?: Partial<FlagsOf<"chat">>
  readonly server?: Pick<ProviderServer, "env">
}

/** When it is ready to be written to. */
export async function openChat(root: string, options: RealOptions = {}): Promise<Opened> {
  const { flags = {}, server, env, ...screen } = options
  const model = server === undefined ? {} : { model: "anthropic/claude-sonnet-5-5" }
  const given = JSON.stringify({
    home: join(root, "no-home"),
    ...model,
    ...flags,
  })
  const chat = openProgram([await bundled("test/cli/chat/real.ts"), given], root, {
    ...screen,
    env: { SHELL: "/bin/sh", INCIPIT_STATE_DIR: join(root, ".incipit"), ...server?.env, ...env },
  })
  onTestFinished(({ task }) => {
    // A test that waits for something says only that it waited; the screen says why.
    if (task.result?.state === "fail") console.error(chat.screen())
    chat.close()
  })
  await chat.until((screen) => /^> *$/m.test(screen) && isIdle(screen))
  return chat
}

/** The live region says that nothing goes on. */
export function isIdle(screen: string): boolean {
  return !/^\S (working|stopping)|^y yes/m.test(screen)
}

/** Types a line, and waits until its answer has this text. */
export async function say(chat: Opened, line: string, answer: string): Promise<void> {
  const before = chat.screen().split(`> ${line}\n`).length
  chat.type(`${line}\r`)
  await chat.until((screen) => {
    const parts = screen.split(`> ${line}\n`)
    const shown = parts.length > before ? (parts.at(-1) ?? "") : ""
    // While there is no prompt, the screen is being drawn.
    return shown.includes(answer) && /^>/m.test(shown) && isIdle(screen)
  })
}

/** What stands on the screen, without paths and ids, and without figures that change with every word of the prompt. */
export function shown(chat: Opened): string {
  return chat
    .screen()
    .replaceAll(/^(plan\b)?.* · (?:\$[\d.]+|free)$/gm, "$1(figures)")
    .replace(/(\(figures\)\n--- cursor \d+:)\d+/, "$1end")
    .replaceAll(chat.folder, "/island")
    .replaceAll(/(?<=\b01kv5[0-9a-z]{5})[0-9a-z]{1,10}(?![0-9a-z])/g, ({ length }) => "x".repeat(length))
}

export function golden(chat: Opened, name: string) {
  return expect(shown(chat)).toMatchFileSnapshot(`../../golden/chat/real/${name}.txt`)
}
