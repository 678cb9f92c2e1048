// A `fetch` that keeps the calls of models that pass through it, for any SDK that takes one. What passes is not changed:
// the request goes on as it came, and the program reads the answer as it comes. Calls are looked at after their end.
import { priceFor } from "../../record/prices/prices.ts"
import type { Recorder } from "../../record/write/record.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { CapturedCall } from "../call.ts"
import { keepCall } from "../keep/keep-call.ts"
import { keepRefusal } from "../keep/keep-refusal.ts"
import { COPY_LIMITS, type CopyRoom, createCopy, type Exchange } from "../proxy/exchange.ts"
import { formatOf, lookAt } from "../proxy/exchange-call.ts"
import type { RawHeaders } from "../proxy/headers.ts"
import { createSplitter } from "../split/splitter.ts"

type Fetch = typeof fetch

/** How calls are kept. */
export interface CaptureFetchOptions {
  /** Does the requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Keeps counts and digests, and no text. */
  readonly metadataOnly?: boolean | undefined
  /** The folder that the program works in. */
  readonly project?: string | undefined
  /** Gets each call that was kept. */
  readonly onCall?: ((call: CapturedCall) => void) | undefined
  /** Gets what went wrong with keeping a call. The program has its answer all the same. */
  readonly onProblem?: ((problem: Error) => void) | undefined
}

/** A `fetch` for `new OpenAI({ fetch })`, `createAnthropic({ fetch })` and the like. */
export interface CapturingFetch extends Fetch {
  /** Resolves when the calls whose answers have been read are in the record. */
  settled(): Promise<void>
}

/** Makes a `fetch` that keeps the calls of models in this record. Other requests just pass. */
export function captureFetch(recorder: Recorder, options: CaptureFetchOptions = {}): CapturingFetch {
  const { fetch: send = globalThis.fetch, metadataOnly = false, project, onCall, onProblem } = options
  const room: CopyRoom = { limits: COPY_LIMITS, used: 0, onPass: () => undefined }
  const splitter = createSplitter({ counter: o200k })
  const working = new Set<Promise<void>>()
  const keep = async (exchange: Exchange) => {
    const looked = await lookAt(exchange, project)
    if (looked.kind === "refused") keepRefusal(recorder, { refused: looked.refused, metadataOnly }, exchange)
    if (looked.kind !== "call") return
    const { call } = looked
    const price = priceFor(call.model, { at: call.at })
    keepCall(recorder, call, { price, metadataOnly, splitter })
    onCall?.(call)
  }
  const begin = (exchange: Exchange) => {
    const work = keep(exchange)
      .catch((error: unknown) => {
        // Whatever becomes of the record, the program has its answer.
        onProblem?.(error instanceof Error ? error : new Error(String(error)))
      })
      .finally(() => working.delete(work))
    working.add(work)
  }
  const capturing: Fetch = async (input, init) => {
    const { method, url } = targetOf(input, init)
    const path = url.pathname + url.search
    if (formatOf(method, path) === undefined) return send(input, init)
    const from = Date.now()
    const request = await bodyOf(input, init)
    const response = await send(input, init)
    const facts = { method, path, request, from, status: response.status }
    const requestHeaders = rawOf(
      new Headers(init?.headers ?? (input instanceof Request ? input.headers : {})),
    )
    const responseHeaders = rawOf(response.headers)
    return watched(response, room, (body) =>
      begin({ ...facts, requestHeaders, responseHeaders, response: body, at: Date.now() }),
    )
  }
  return Object.assign(capturing, {
    async settled() {
      while (working.size > 0) await Promise.all(working)
    },
  })
}

function targetOf(input: Parameters<Fetch>[0], init: RequestInit | undefined) {
  const isRequest = input instanceof Request
  const method = (init?.method ?? (isRequest ? input.method : "GET")).toUpperCase()
  const address = isRequest ? input.url : String(input)
  return { method, url: URL.canParse(address) ? new URL(address) : new URL(address, "http://localhost") }
}

/** Undefined for a stream: to read it would take it from the request. */
async function bodyOf(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
): Promise<Buffer | undefined> {
  const body = init?.body
  if (typeof body === "string") return Buffer.from(body)
  if (body instanceof ArrayBuffer) return Buffer.from(body)
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof Blob) return Buffer.from(await body.arrayBuffer())
  const isWhole = input instanceof Request && (body === undefined || body === null)
  return isWhole ? Buffer.from(await input.clone().arrayBuffer()) : undefined
}

/** Bodies arrive decoded, so they must not be decoded again. */
function rawOf(headers: Headers): RawHeaders {
  return [...headers].filter(([name]) => name !== "content-encoding").flat()
}

/** The same answer. Its body is copied while the program reads it, chunk by chunk. */
function watched(response: Response, room: CopyRoom, onEnd: (body: Buffer | undefined) => void): Response {
  if (response.body === null) return response
  const copy = createCopy(room)
  const end = () => {
    onEnd(copy.whole())
    copy.drop()
  }
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        copy.take(Buffer.from(chunk))
        controller.enqueue(chunk)
      },
      flush: end,
      // Some SDKs stop reading at the last event. A call counts if what was read says what it used.
      cancel: end,
    }),
  )
  const { status, statusText, headers, url } = response
  const passed = new Response(body, { status, statusText, headers })
  return Object.defineProperty(passed, "url", { value: url })
}
