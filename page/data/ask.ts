// Requests to this server. A refusal becomes an error with the server's own sentence; a sign-in that has ended leads to
// the form and back here.
import { visibleName } from "../parts/visible-text.ts"

/** What the server refused, and why. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  readonly query?: Readonly<Record<string, string | number | null | undefined>> | undefined
  /** Sent as JSON with POST. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The answer as JSON. The contract in `src/serve/page/shown.ts` says which type it has. */
export async function ask<T>(path: string, options: AskOptions = {}): Promise<T> {
  const response = await askFor(path, options)
  // The server checks what it sends against the same contract.
  return (await response.json()) as T
}

/** The answer itself, for streams. */
export async function askFor(path: string, options: AskOptions = {}): Promise<Response> {
  const { signal, query = {}, body, headers = {} } = options
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  )
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`
  const init: RequestInit = { headers: { accept: "application/json", ...headers }, ...(signal && { signal }) }
  const response = await fetch(
    `${path}${search}`,
    body === undefined
      ? init
      : {
          ...init,
          method: "POST",
          headers: { ...init.headers, "content-type": "application/json" },
          body: JSON.stringify(body),
        },
  )
  if (response.ok) return response
  const refusal = await refusalOf(response)
  // Who asked keeps what would be lost first.
  if (response.status === 401) setTimeout(signIn)
  throw refusal
}

function signIn(): void {
  location.assign(`/login?next=${encodeURIComponent(`/${location.search}`)}`)
}

/** For requests that do not say so themselves: a sign-in that has ended leads to the form. */
export function checkSignIn(): void {
  ask<unknown>("/api/page").catch(() => {})
}

async function refusalOf(response: Response): Promise<Refusal> {
  // What a proxy answers may have none of it.
  const body = (await response.json().catch(() => null)) as {
    readonly error?: { readonly code?: string; readonly message?: string }
  } | null
  const { code = "failed", message = `The server answered with status ${response.status}.` } =
    body?.error ?? {}
  return new Refusal(response.status, code, message)
}

const UNREACHED = "The server cannot be reached. Is it still running?"

/** One sentence about an error, for people. */
export function problemText(error: unknown): string {
  if (error instanceof Refusal) return visibleName(error.message)
  if (error instanceof TypeError) return UNREACHED
  return error instanceof Error ? error.message : String(error)
}
