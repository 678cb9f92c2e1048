// `incipit inspect` in the process of the test, with a person who signs in and looks.
import { expect, onTestFinished } from "vitest"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { run } from "../../../src/cli/commands/inspect/inspect.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import type { CallDetail, CallPage, PageInfo, SessionPage } from "../../../src/serve/page/shown.ts"

export interface Inspecting {
  readonly url: string
  /** What was printed so far, on both streams. */
  shown(): { readonly out: string; readonly err: string }
  /** Signs in with the code of the link. */
  signIn(): Promise<Signed>
  /** Ends it as Ctrl-C does. */
  end(): Promise<number>
}

export interface Signed {
  readonly cookie: string
  get<T>(path: string): Promise<T>
  info(): Promise<PageInfo>
  sessions(source: string): Promise<SessionPage["sessions"]>
  calls(source: string, session: string): Promise<CallPage["calls"]>
  call(source: string, id: string): Promise<CallDetail>
}

export interface InspectOptions {
  readonly cwd: string
  readonly home: string
  readonly words?: readonly string[]
  readonly flags?: Partial<FlagsOf<"inspect">>
}

/** Resolves when the link is printed; rejects with what the command threw. */
export async function inspecting({ cwd, home, words = [], flags }: InspectOptions): Promise<Inspecting> {
  const shown = { out: "", err: "" }
  const linked = Promise.withResolvers<string>()
  const stopped = Promise.withResolvers<void>()
  const terminal: Terminal = {
    out(text) {
      shown.out += text
      linked.resolve(shown.out)
    },
    err(text) {
      shown.err += text
    },
    exact: () => {},
    ...{ drained: async () => {}, columns: 80, colour: false, cwd, home, timeZone: "UTC", now: Date.now },
    env: { HOME: home, XDG_STATE_HOME: `${home}/state`, INCIPIT_GIT_LIMIT: "10m" },
    stopped: () => stopped.promise,
  }
  const ended = run({ words, flags: flagsFor("inspect", flags ?? {}), terminal })
  ended.catch(linked.reject)
  const end = async () => {
    stopped.resolve()
    return ended
  }
  onTestFinished(() => void end().catch(() => {}))
  const text = await linked.promise
  const link = new URL(flags?.json ? linkOf(text) : text.trim())
  return {
    url: link.origin,
    shown: () => shown,
    signIn: () => signIn(link),
    end,
  }
}

function linkOf(line: string): string {
  const { url, code }: { readonly url: string; readonly code: string } = JSON.parse(line)
  return `${url}/login?code=${code}`
}

export function postCode({ origin, searchParams }: URL, headers: Readonly<Record<string, string>> = {}) {
  const body = new URLSearchParams({ code: searchParams.get("code") ?? "" })
  return fetch(`${origin}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin, ...headers },
    body,
  })
}

async function signIn(link: URL): Promise<Signed> {
  const answered = await postCode(link)
  expect(answered.status).toBe(303)
  const [cookie = ""] = (answered.headers.get("set-cookie") ?? "").split(";")
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${link.origin}${path}`, { headers: { cookie } })
    expect([response.status, path]).toEqual([200, path])
    // The routes check what they answer by the same types.
    return (await response.json()) as T
  }
  const query = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields)
  return {
    ...{ cookie, get },
    info: () => get<PageInfo>("/api/page"),
    sessions: async (source) => (await get<SessionPage>(`/api/page/sessions?${query({ source })}`)).sessions,
    calls: async (source, session) =>
      (await get<CallPage>(`/api/calls?${query({ source, session, limit: "500" })}`)).calls,
    call: (source, id) => get<CallDetail>(`/api/calls/${encodeURIComponent(id)}?${query({ source })}`),
  }
}
