// Requests of a sign-in, to addresses that a server names: over https or within this machine, to nothing that the server
// may not name, without following redirects, and with limits of size and time.
import { request as httpRequest, type IncomingMessage } from "node:http"
import { request as httpsRequest } from "node:https"
import type { FetchLike } from "@modelcontextprotocol/client"
import { SignInFailed } from "./failures.ts"
import { allowedAddresses, isSafeUrl, pinned, type ReachLimit } from "./reach.ts"

export interface CarefulOptions extends ReachLimit {
  readonly signal: AbortSignal
  /** Whether a body is read; a server may answer with a stream that never ends. */
  readonly readsBody?: (status: number) => boolean
}

/** More than any description of a server needs. */
const MOST_BYTES = 256 * 1024
const LIMIT_MS = 15_000

export function carefulFetch(options: CarefulOptions): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(String(input))
    if (!isSafeUrl(url)) throw new SignInFailed(`it names ${url.origin}, which is not https`)
    const addresses = await allowedAddresses(url, options)
    const late = AbortSignal.timeout(LIMIT_MS)
    const signal = AbortSignal.any([options.signal, late, ...(init.signal ? [init.signal] : [])])
    try {
      const answer = await answerTo({ url, init, addresses, signal })
      return await responseOf(url, answer, options.readsBody ?? (() => true))
    } catch (error) {
      if (late.aborted) throw new SignInFailed(`${url.host} did not answer within ${LIMIT_MS / 1_000}s`)
      if (error instanceof SignInFailed || options.signal.aborted) throw error
      throw new SignInFailed(`${url.host} cannot be reached: ${wordsOf(error)}`)
    }
  }
}

interface Asking {
  readonly url: URL
  readonly init: RequestInit
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
}

function answerTo({ url, init, addresses, signal }: Asking): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest
  const body = init.body === undefined || init.body === null ? undefined : String(init.body)
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        lookup: pinned(addresses),
        // A connection of its own: one that is kept may lead to an address that was not checked.
        agent: false,
        signal,
      },
      resolve,
    )
    sent.on("error", reject)
    sent.end(body)
  })
}

async function responseOf(
  url: URL,
  answer: IncomingMessage,
  readsBody: NonNullable<CarefulOptions["readsBody"]>,
): Promise<Response> {
  const { statusCode: status = 0, headers } = answer
  if (status >= 300 && status < 400) {
    answer.destroy()
    throw new SignInFailed(
      `${url.host} redirects to ${targetOf(headers.location, url)}, which is not followed`,
    )
  }
  const isRead = readsBody(status)
  const body = isRead ? await bytesOf(url, answer) : undefined
  if (!isRead) answer.destroy()
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const isEmpty = body === undefined || body.length === 0
  return new Response(isEmpty ? null : new Uint8Array(body), { status, headers: kept })
}

function targetOf(location: string | undefined, url: URL): string {
  if (location === undefined || !URL.canParse(location, url.href)) return "another address"
  return new URL(location, url).host || "another address"
}

async function bytesOf(url: URL, answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // A stream without an encoding gives bytes.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new SignInFailed(`${url.host} answers with more than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join("; ")
  return error instanceof Error ? error.message : String(error)
}
