// A Bot API server on loopback that behaves like Telegram's: updates are sent again until a poll names an offset behind
// them, polls are held open, a second poll ends the first with 409, a webhook excludes polls and is called until it
// answers 2xx, files have a path for a download, and calls can be refused.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface FakeTelegram {
  readonly url: string
  readonly token: string
  /** All calls but polls, in the order in which they came, with those that were refused. */
  readonly calls: readonly ApiCall[]
  /** How many updates have been handed out, counting repeats, and up to which id they are confirmed. */
  readonly polls: { readonly handedOut: number; readonly confirmed: number; readonly count: number }
  /** Adds an update and returns its id. */
  push(update: Readonly<Record<string, unknown>>): number
  /** A text message in a private chat. */
  say(from: number, text: string): number
  /** Keeps a file for `getFile`. */
  keepFile(id: string, bytes: Uint8Array): void
  /** Called before a call is answered, with those of polls left out; the connection is cut if it resolves to false. */
  onCall: ((call: Omit<ApiCall, "isRefused">) => Promise<boolean>) | undefined
  /** Refuses the next call of this method. */
  refuseNext(method: string, refusal: Refusal): void
  /** Ends connections without an answer until it is called with false. */
  setDown(isDown: boolean): void
  close(): Promise<void>
}

export interface ApiCall {
  readonly method: string
  readonly input: Readonly<Record<string, unknown>>
  readonly isRefused: boolean
}

export interface Refusal {
  readonly code: number
  readonly description: string
  readonly retryAfter?: number
  /** The supergroup that a group became. */
  readonly movedTo?: number
}

interface Poll {
  readonly response: ServerResponse
  readonly timer: NodeJS.Timeout
}

type Input = Readonly<Record<string, unknown>>

export const BOT = {
  ...{ id: 99, is_bot: true, first_name: "Lamp", username: "lamp_bot" },
  ...{ can_join_groups: true, can_read_all_group_messages: false },
}
const WEBHOOK_ACTIVE = {
  code: 409,
  description:
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
}
const CONFLICT = {
  code: 409,
  description:
    "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
}

class Server implements FakeTelegram {
  readonly token = "99:fake"
  readonly calls: ApiCall[] = []
  readonly polls = { handedOut: 0, confirmed: 0, count: 0 }
  readonly #updates: (Input & { readonly update_id: number })[] = []
  readonly #refusals = new Map<string, Refusal[]>()
  readonly #files = new Map<string, Uint8Array>()
  readonly #http = createServer((request, response) => void this.#answer(request, response))
  onCall: FakeTelegram["onCall"]
  #isDown = false
  #webhook: { readonly url: string; readonly secret: string } | undefined
  #isCalling = false
  #poll: Poll | undefined
  #pollInput: Input = {}
  #nextUpdate = 500
  #nextMessage = 1

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`
  }

  async listen(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#http.listen(0, "127.0.0.1", resolve)
    await promise
  }

  push(update: Input): number {
    const id = this.#nextUpdate++
    this.#updates.push({ ...update, update_id: id })
    this.#handOut()
    void this.#callWebhook()
    return id
  }

  keepFile(id: string, bytes: Uint8Array): void {
    this.#files.set(id, bytes)
  }

  say(from: number, text: string): number {
    const message_id = this.#nextMessage++
    return this.push({
      message: { message_id, chat: { id: from, type: "private" }, from: { id: from, is_bot: false }, text },
    })
  }

  refuseNext(method: string, refusal: Refusal): void {
    this.#refusals.set(method, [...(this.#refusals.get(method) ?? []), refusal])
  }

  setDown(isDown: boolean): void {
    this.#isDown = isDown
    if (!isDown) return
    clearTimeout(this.#poll?.timer)
    this.#poll = undefined
    this.#http.closeAllConnections()
  }

  async close(): Promise<void> {
    clearTimeout(this.#poll?.timer)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#http.close(() => resolve())
    this.#http.closeAllConnections()
    await promise
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (this.#isDown) return void request.socket.destroy()
    if (request.method === "GET") return this.#download(request.url ?? "", response)
    const input = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Input
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? []
    if (token !== this.token) return refuse(response, { code: 401, description: "Unauthorized" })
    if (method !== "getUpdates" && (await this.onCall?.({ method, input })) === false)
      return void request.socket.destroy()
    const refusal = this.#refusals.get(method)?.shift()
    if (method !== "getUpdates") this.calls.push({ method, input, isRefused: refusal !== undefined })
    if (refusal !== undefined) return refuse(response, refusal)
    if (method === "getUpdates" && this.#webhook !== undefined) return refuse(response, WEBHOOK_ACTIVE)
    if (method === "getUpdates") return this.#holdPoll(input, response)
    if (method === "getFile") return this.#findFile(String(input.file_id), response)
    if (method === "sendMessage" && String(input.text ?? "").trim() === "")
      return refuse(response, { code: 400, description: "Bad Request: message text is empty" })
    if (method === "sendMessage" && String(input.text).length > 4096)
      return refuse(response, { code: 400, description: "Bad Request: message is too long" })
    succeed(response, this.#resultOf(method, input))
  }

  #resultOf(method: string, input: Input): unknown {
    if (method === "getMe") return BOT
    if (method === "setWebhook") this.#setWebhook(input)
    if (method !== "sendMessage") return true
    const chat = { id: Number(input.chat_id), type: Number(input.chat_id) < 0 ? "supergroup" : "private" }
    return { message_id: this.#nextMessage++, from: BOT, chat, date: 1_800_000_000, text: input.text }
  }

  #findFile(id: string, response: ServerResponse): void {
    const bytes = this.#files.get(id)
    if (bytes === undefined) refuse(response, { code: 400, description: "Bad Request: wrong file_id" })
    else if (bytes.byteLength > 20_000_000)
      refuse(response, { code: 400, description: "Bad Request: file is too big" })
    else
      succeed(response, {
        ...{ file_id: id, file_unique_id: `u${id}` },
        ...{ file_size: bytes.byteLength, file_path: `documents/${id}` },
      })
  }

  #download(url: string, response: ServerResponse): void {
    const [, token, id = ""] = /^\/file\/bot([^/]+)\/documents\/([\w.-]+)$/.exec(url) ?? []
    const bytes = token === this.token ? this.#files.get(id) : undefined
    if (bytes === undefined) response.statusCode = 404
    response.end(bytes)
  }

  #setWebhook({ url, secret_token: secret }: Input): void {
    this.#webhook = { url: String(url), secret: String(secret) }
    void this.#callWebhook()
  }

  /** One update at a time, in order, until it is accepted. */
  async #callWebhook(): Promise<void> {
    if (this.#isCalling) return
    this.#isCalling = true
    while (this.#webhook !== undefined && this.#updates[0] !== undefined && this.#http.listening) {
      const { url, secret } = this.#webhook
      const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret }
      const body = JSON.stringify(this.#updates[0])
      this.polls.handedOut += 1
      const response = await fetch(url, { method: "POST", headers, body }).catch(() => undefined)
      if (response?.ok === true) this.polls.confirmed = (this.#updates.shift()?.update_id ?? 0) + 1
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
    this.#isCalling = false
  }

  #holdPoll(input: Input, response: ServerResponse): void {
    if (this.#poll !== undefined) this.#endPoll((held) => refuse(held, CONFLICT))
    this.polls.count += 1
    const seconds = Number(input.timeout ?? 0)
    // Naming an offset confirms everything before it, for good.
    const offset = Number(input.offset ?? 0)
    this.polls.confirmed = Math.max(this.polls.confirmed, offset)
    while ((this.#updates[0]?.update_id ?? Infinity) < offset) this.#updates.shift()
    const timer = setTimeout(() => this.#endPoll((held) => succeed(held, [])), seconds * 1_000)
    this.#pollInput = input
    this.#poll = { response, timer }
    response.once("close", () => {
      if (this.#poll?.response !== response) return
      clearTimeout(timer)
      this.#poll = undefined
    })
    this.#handOut()
  }

  #handOut(): void {
    const due = this.#updates.slice(0, Number(this.#pollInput.limit ?? 100))
    if (this.#poll === undefined || due.length === 0) return
    this.polls.handedOut += due.length
    this.#endPoll((held) => succeed(held, due))
  }

  #endPoll(answer: (response: ServerResponse) => void): void {
    const poll = this.#poll
    this.#poll = undefined
    clearTimeout(poll?.timer)
    if (poll !== undefined) answer(poll.response)
  }
}

function succeed(response: ServerResponse, result: unknown): void {
  response.setHeader("content-type", "application/json").end(JSON.stringify({ ok: true, result }))
}

function refuse(response: ServerResponse, { code, description, retryAfter, movedTo }: Refusal): void {
  response.statusCode = code
  const parameters = { retry_after: retryAfter, migrate_to_chat_id: movedTo }
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify({ ok: false, error_code: code, description, parameters }))
}

export async function fakeTelegram(): Promise<FakeTelegram> {
  const server = new Server()
  await server.listen()
  return server
}
