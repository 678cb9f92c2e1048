// A Bot API server on loopback that behaves like Telegram's: updates are sent again until a poll names an offset behind
// them, polls are held open, a second poll ends the first with 409, and calls can be answered with 429.
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
}

interface Poll {
  readonly response: ServerResponse
  readonly timer: NodeJS.Timeout
}

type Input = Readonly<Record<string, unknown>>

export const BOT = { id: 99, is_bot: true, first_name: "Lamp", username: "lamp_bot" }
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
  readonly #http = createServer((request, response) => void this.#answer(request, response))
  #isDown = false
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
    return id
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
    if (this.#isDown) return void request.destroy()
    const input = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Input
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? []
    if (token !== this.token) return refuse(response, { code: 401, description: "Unauthorized" })
    const refusal = this.#refusals.get(method)?.shift()
    if (method !== "getUpdates") this.calls.push({ method, input, isRefused: refusal !== undefined })
    if (refusal !== undefined) return refuse(response, refusal)
    if (method === "getUpdates") return this.#holdPoll(input, response)
    succeed(response, this.#resultOf(method))
  }

  #resultOf(method: string): unknown {
    if (method === "getMe") return BOT
    return method === "sendMessage" ? { message_id: this.#nextMessage++ } : true
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

function refuse(response: ServerResponse, { code, description, retryAfter }: Refusal): void {
  response.statusCode = code
  const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify({ ok: false, error_code: code, description, ...parameters }))
}

export async function fakeTelegram(): Promise<FakeTelegram> {
  const server = new Server()
  await server.listen()
  return server
}
