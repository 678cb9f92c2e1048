// A real gateway with something to show on its page: a folder, a provider on loopback or the offline model, people who
// ask for what they may see.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { paramsIn } from "../../../src/serve/api/route.ts"
import { API_ROUTES } from "../../../src/serve/api/routes.ts"
import { MODEL, type Scripts, server } from "../../agent/world/agent-world.ts"
import { openWholeGateway } from "../whole-gateway.ts"

export const MORNING = Date.UTC(2026, 5, 15, 7)

export interface PageWorld {
  readonly url: string
  /** Of the operator, who is signed in. */
  readonly operator: PageClient
  /** A person with a token for reading and talking. */
  as(user: string, situation?: string): Promise<PageClient>
  write(path: string, text: string): void
  /** Time goes on by itself, too: a second with each look at the clock, unless it stands. */
  pass(ms: number): void
  close(): Promise<void>
}

export interface PageClient {
  /** What came back, byte for byte: the status, then the body. */
  raw(path: string): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back.
  get(path: string): Promise<any>
  /** Says something in a session, or in a new one; returns the reply. */
  say(text: string, session?: string): Promise<{ readonly turn: string; readonly session: string }>
}

export interface PageWorldOptions {
  readonly files: Readonly<Record<string, string>>
  /** What the provider does; without it, the offline model answers. */
  readonly scripts?: Scripts
  /** The clock goes on only when it is told to. */
  readonly stands?: boolean
}

export async function openPageWorld({
  files,
  scripts,
  stands = false,
}: PageWorldOptions): Promise<PageWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-page-")))
  const workspace = join(folder, "workspace")
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  for (const [path, text] of Object.entries(files)) write(path, text)
  let time = MORNING
  const now = () => {
    time += stands ? 0 : 1_000
    return time
  }
  const provider = scripts === undefined ? undefined : await server(scripts, () => time)
  const gateway = await openWholeGateway({
    ...{ folder, now, timeZone: "UTC", random: () => 0, env: provider?.env ?? {} },
    ...(provider && { model: MODEL }),
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= gateway.close().then(() => rmSync(folder, { recursive: true, force: true }))
    return closed
  }
  onTestFinished(close)
  return {
    url: gateway.url,
    operator: clientAt(gateway.url, { cookie: await signIn(gateway) }),
    as: async (user, situation) =>
      clientAt(gateway.url, { authorization: `Bearer ${await gateway.token(user, situation)}` }),
    pass: (ms) => {
      time += ms
    },
    ...{ write, close },
  }
}

async function signIn({ url, code }: { readonly url: string; readonly code: string }): Promise<string> {
  const body = new URLSearchParams({ code, next: "/" })
  const response = await fetch(`${url}/login`, {
    method: "POST",
    body,
    headers: { origin: url },
    redirect: "manual",
  })
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";")
  return cookie
}

function clientAt(url: string, who: Readonly<Record<string, string>>): PageClient {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { ...who, origin: url, ...init.headers },
    })
    return { status: response.status, text: await response.text() }
  }
  return {
    async raw(path) {
      const { status, text } = await ask(path)
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
      const { status, text: body } = await ask(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text }),
      })
      if (status !== 200) throw new Error(`${status} ${body}`)
      return JSON.parse(body)
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
