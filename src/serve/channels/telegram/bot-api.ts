// Calls to Telegram's Bot API, and its failures as faults of the channel. The token is part of every address, so no
// message of a failure may quote one.
import { ChannelFault } from "../channel.ts"

export interface BotApi {
  call<T>(method: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<T>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** How long the answer may take; a long poll needs more than the usual. */
  readonly timeoutMs?: number
}

export interface BotApiOptions {
  readonly token: string
  /** Another server than Telegram's own, for tests and for a local Bot API server. */
  readonly url?: string | undefined
}

const USUAL_TIMEOUT_MS = 30_000

export function createBotApi({ token, url = "https://api.telegram.org" }: BotApiOptions): BotApi {
  return {
    async call<T>(method: string, input: Readonly<Record<string, unknown>>, options: CallOptions = {}) {
      const { signal, timeoutMs = USUAL_TIMEOUT_MS } = options
      const limit = AbortSignal.timeout(timeoutMs)
      const response = await fetched(`${url}/bot${token}/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      }).catch((error: unknown) => {
        signal?.throwIfAborted()
        throw new ChannelFault(`Telegram cannot be reached (${method}): ${reasonOf(error)}`)
      })
      if (!isObject(response))
        throw new ChannelFault(`Telegram's answer to ${method} is not what the Bot API sends`)
      if (response.ok !== true) throw faultOf(method, response)
      // The types of results are those of Telegram's documentation; readers check each field they use.
      return response.result as T
    },
  }
}

async function fetched(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init)
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in between answers in HTML.
    return { ok: false, error_code: response.status, description: response.statusText }
  }
}

function faultOf(method: string, answer: Readonly<Record<string, unknown>>): ChannelFault {
  const { error_code: code, description } = answer
  const seconds = isObject(answer.parameters) ? answer.parameters.retry_after : undefined
  const said = typeof description === "string" ? description : `error ${String(code)}`
  return new ChannelFault(`Telegram refused ${method}: ${said}${hintOf(code)}`, {
    retryAfterMs: typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : undefined,
    // Blocked, kicked out, no such chat: the same call fails again. 401 and 404 mean the token, which may be corrected.
    isFinal: code === 400 || code === 403,
  })
}

function hintOf(code: unknown): string {
  if (code === 409)
    return ". Another program receives this bot's messages, or a webhook is set. Stop it, or give this agent a bot of its own."
  if (code === 401 || code === 404) return ". Check the bot token."
  return ""
}

/** The cause names the host and not the address with the token in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error"
  if (error.name === "TimeoutError") return "no answer in time"
  const { cause } = error
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}
