// A real gateway with something to show on its page: a folder, a provider on loopback or the offline model, and people
// who ask for what they may see.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { paramsIn } from "../../../src/serve/api/route.ts"
import { API_ROUTES } from "../../../src/serve/api/routes.ts"
import type { Scope } from "../../../src/serve/auth/caller.ts"
import { MODELS } from "../../agent/world/ask-model.ts"
import type { Script } from "../../agent/world/servers/script.ts"
import { type ProtocolName, type ServerOptions, startServer } from "../../agent/world/servers/server.ts"
import { openWholeGateway } from "../whole-gateway.ts"

const MORNING = Date.UTC(2026, 5, 15, 7)

/** Without what differs between machines. */
export const CONFIG = `users: { ada: { trust: familiar }, bo: { trust: familiar } }
feeds: { bulletin: off }
prompt: { sections: { environment: off, directory: off, soul: { on_change: rebuild } } }
`

export interface PageWorld {
  /** Who is signed in. */
  readonly operator: PageClient
  readonly url: string
  /** For a caller of another kind. */
  token(user: string | undefined, situation?: string, scopes?: readonly Scope[]): Promise<string>
  /** A person with a token for reading and talking. */
  as(user: string, situation?: string, scopes?: readonly Scope[]): Promise<PageClient>
  write(path: string, text: string): void
  /** The file that everything is recorded in. */
  readonly record: string
  /** The clock goes on only when it is told to. */
  pass(ms: number): void
}

export interface PageClient {
  /** What came back, byte for byte: the status, then the body. */
  raw(path: string): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back.
  get(path: string): Promise<any>
  /** The same for a request with a body of JSON. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<string>
  /** Says something in a session, or in a new one; returns the reply. */
  say(text: string, session?: string): Promise<{ readonly turn: string; readonly session: string }>
}

export interface PageWorldOptions {
  /** In addition to an incipit.yaml with two people. */
  readonly files?: Readonly<Record<string, string>>
  /**
   * What the provider does: to each request, or in order, and the last one again and again. Without it, the offline model
   * answers.
   */
  readonly scripts?: readonly Script[] | ServerOptions["answer"]
  readonly protocol?: ProtocolName
}

export async function openPageWorld(options: PageWorldOptions = {}): Promise<PageWorld> {
  const { files = {}, scripts, protocol = "anthropic" } = options
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-page-")))
  const write = (path: string, text: string) => {
    const file = join(folder, "workspace", path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  for (const [path, text] of Object.entries({ "incipit.yaml": CONFIG, ...files })) write(path, text)
  let time = MORNING
  const now = () => time
  const answer: ServerOptions["answer"] = (request) => {
    if (typeof scripts === "function") return scripts(request)
    return scripts?.[Math.min(request.calls, scripts.length) - 1] ?? { kind: "reply", parts: [] }
  }
  const provider = scripts && (await startServer({ protocol, answer, now }))
  const gateway = await openWholeGateway({
    ...{ folder, now, timeZone: "UTC", random: () => 0, env: provider?.env ?? {} },
    ...(provider && { model: MODELS[protocol] }),
  })
  onTestFinished(async () => {
    await gateway.close()
    await provider?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    ...{ url: gateway.url, token: gateway.token },
    operator: clientAt(gateway.url, { cookie: await signIn(gateway) }),
    as: async (user, situation, scopes) =>
      clientAt(gateway.url, { authorization: `Bearer ${await gateway.token(user, situation, scopes)}` }),
    pass: (ms) => {
      time += ms
    },
    ...{ write, record: join(folder, "state", "record.db") },
  }
}

async function signIn({ url, code }: { readonly url: string; readonly code: string }): Promise<string> {
  const body = new URLSearchParams({ code, next: "/" })
  const init = { method: "POST", body, headers: { origin: url }, redirect: "manual" } as const
  const [cookie = ""] = ((await fetch(`${url}/login`, init)).headers.get("set-cookie") ?? "").split(";")
  return cookie
}

const JSON_BODY = { "content-type": "application/json" }

function clientAt(url: string, who: Readonly<Record<string, string>>): PageClient {
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { ...who, origin: url, ...init.headers }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    return { status: response.status, text: await response.text() }
  }
  return {
    async raw(path) {
      const { status, text } = await ask(path)
      return `${status} ${text}`
    },
    async post(path, body, headers) {
      const { status, text } = await ask(path, {
        method: "POST",
        headers: { ...JSON_BODY, ...headers },
        body: JSON.stringify(body),
      })
      return `${status} ${text}`
    },
    async get(path) {
      const { status, text } = await ask(path)
      const json = JSON.parse(text)
      if (status === 200) checkAnswer(path, json)
      return json
    },
    async say(text, session) {
      const path = session === undefined ? "/api/sessions" : `/api/sessions/${session}/messages`
      const answer = await ask(path, { method: "POST", headers: JSON_BODY, body: JSON.stringify({ text }) })
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return JSON.parse(answer.text)
    },
  }
}

/** Every answer is what the OpenAPI document says, without anything else. */
function checkAnswer(path: string, json: unknown): void {
  const { pathname } = new URL(path, "http://localhost")
  const route = API_ROUTES.find((one) => one.method === "GET" && paramsIn(one.path, pathname) !== undefined)
  route?.answer.parse(json)
}

/** Ids depend on chance: each by the order in which it comes. */
export function named(text: string): string {
  const known = new Map<string, string>()
  return text.replaceAll(/\b01[0-9a-hjkmnp-tv-z]{18}\b/g, (id) => {
    const name = known.get(id) ?? `<id ${known.size + 1}>`
    known.set(id, name)
    return name
  })
}
