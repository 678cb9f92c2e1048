// Calls to Telegram's Bot API, and its failures as faults of the channel. The token is part of every address, so no
// message of a failure may quote one.
import { ChannelFault } from "../channel.ts"
import { readLimited } from "../read-limited.ts"

export interface BotApi {
  call<T>(method: string, input: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<T>
  /** The bytes of a file that somebody sent. */
  download(fileId: string, options: DownloadOptions): Promise<Uint8Array>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** How long the answer may take; a long poll needs more than the usual. */
  readonly timeoutMs?: number
}

export interface DownloadOptions {
  readonly mostBytes: number
  readonly signal: AbortSignal
}

export interface BotApiOptions {
  readonly token: string
  /** Another server than Telegram's own, for tests and for a local Bot API server. */
  readonly url?: string | undefined
}

/** Telegram's refusal of a call. */
export class TelegramFault extends ChannelFault {
  readonly code: number | undefined
  /** The group became a supergroup with this id. */
  readonly movedTo: number | undefined

  constructor(method: string, answer: Readonly<Record<string, unknown>>) {
    const { error_code: code, description } = answer
    const parameters = isObject(answer.parameters) ? answer.parameters : {}
    const { retry_after: seconds, migrate_to_chat_id: movedTo } = parameters
    const said = typeof description === "string" ? description : `error ${String(code)}`
    super(`Telegram refused ${method}: ${said}${hintOf(code, said)}`, {
      retryAfterMs: typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : undefined,
      // Blocked, kicked out, no such chat: the same call fails again. 401 and 404 mean the token, which may be corrected.
      isFinal: code === 400 || code === 403,
    })
    this.code = typeof code === "number" ? code : undefined
    this.movedTo = typeof movedTo === "number" && Number.isSafeInteger(movedTo) ? movedTo : undefined
  }
}

const USUAL_TIMEOUT_MS = 30_000

export function createBotApi({ token, url = "https://api.telegram.org" }: BotApiOptions): BotApi {
  const call: BotApi["call"] = async <T>(
    method: string,
    input: Readonly<Record<string, unknown>>,
    { signal, timeoutMs = USUAL_TIMEOUT_MS }: CallOptions = {},
  ) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const answer = await fetched(`${url}/bot${token}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    }).catch((error: unknown) => {
      signal?.throwIfAborted()
      throw unreachable(method, error)
    })
    if (!isObject(answer))
      throw new ChannelFault(`Telegram's answer to ${method} is not what the Bot API sends`)
    if (answer.ok !== true) throw new TelegramFault(method, answer)
    // The types of results are those of Telegram's documentation; readers check each field they use.
    return answer.result as T
  }
  return {
    call,
    async download(fileId, { signal, mostBytes }) {
      const found = await call<unknown>("getFile", { file_id: fileId }, { signal })
      const path = isObject(found) ? found.file_path : undefined
      // Telegram names a path below the token's; anything else could lead elsewhere.
      if (typeof path !== "string" || !/^[\w-]+(?:\/[\w.-]+)+$/.test(path) || path.includes(".."))
        throw new ChannelFault("Telegram named no path for the file", { isFinal: true })
      try {
        const response = await fetch(`${url}/file/bot${token}/${path}`, { signal, redirect: "error" })
        if (!response.ok) throw new ChannelFault(`Telegram answered with ${response.status} to a download`)
        return await readLimited(response, mostBytes)
      } catch (error) {
        throw error instanceof ChannelFault ? error : unreachable("download", error)
      }
    },
  }
}

async function fetched(url: string, init: RequestInit): Promise<unknown> {
  // A redirect would carry the token to another server.
  const response = await fetch(url, { ...init, redirect: "error" })
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in between answers in HTML.
    return { ok: false, error_code: response.status, description: `HTTP ${response.status}` }
  }
}

function hintOf(code: unknown, said: string): string {
  if (code === 409 && /webhook/i.test(said))
    return ". A webhook is set for this bot: configure `webhook` here, or delete it with deleteWebhook."
  if (code === 409)
    return ". Another program receives this bot's messages. Stop it, or give this agent a bot of its own."
  if (code === 401 || code === 404) return ". Check the bot token."
  return ""
}

function unreachable(method: string, error: unknown): ChannelFault {
  return new ChannelFault(`Telegram cannot be reached (${method}): ${reasonOf(error)}`)
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
