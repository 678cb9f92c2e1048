// Forwards one request and its answer as they come: bytes unchanged, nothing held back, and no side outlives the other.
import {
  type ClientRequest,
  type IncomingMessage,
  type Agent as PlainAgent,
  request as plain,
  type ServerResponse,
} from "node:http"
import { type Agent as SecureAgent, request as secure } from "node:https"
import { systemReason } from "../../base/system-error.ts"
import { type Copy, type CopyRoom, createCopy, type Exchange } from "./exchange.ts"
import { answerHeaders, pairsOf, requestHeaders } from "./headers.ts"
import { refuse } from "./refuse.ts"
import type { Target } from "./upstream.ts"

export interface Forwarding {
  readonly target: Target
  readonly agent: PlainAgent | SecureAgent
  readonly room: CopyRoom
  /** Whether the client waits for a word before it sends the body. */
  readonly isExpecting: boolean
  /** Gets a copy when it is over, whose room is taken until it is done with it; undefined if none is wanted. */
  readonly onExchange: ((exchange: Exchange) => Promise<void>) | undefined
  readonly now: () => number
}

/** The longest headers that providers take. */
export const MOST_HEADER_BYTES = 64 << 10

export function forward(incoming: IncomingMessage, outgoing: ServerResponse, forwarding: Forwarding): void {
  const { target, room, isExpecting, onExchange, now } = forwarding
  const from = now()
  room.onPass()
  const copies = onExchange && { request: createCopy(room), response: createCopy(room) }
  const sent = open(incoming, forwarding)
  const state: { isConnected: boolean; answer: IncomingMessage | undefined } = {
    isConnected: false,
    answer: undefined,
  }
  const over = async () => {
    if (copies === undefined) return
    const { answer } = state
    try {
      if (answer !== undefined)
        await onExchange?.(exchangeOf({ incoming, answer, ...copies, from, at: now() }))
    } finally {
      copies.request.drop()
      copies.response.drop()
    }
  }
  sent.once("socket", (socket) => {
    state.isConnected = sent.reusedSocket
    if (sent.reusedSocket) return
    socket.once(target.url.protocol === "https:" ? "secureConnect" : "connect", () => {
      state.isConnected = true
    })
  })
  sent.on("continue", () => outgoing.writeContinue())
  sent.once("response", (answer) => {
    state.answer = answer
    if (canPass(answer)) return passBack(answer, outgoing, copies?.response)
    answer.destroy()
    refuse(
      outgoing,
      502,
      `Incipit's proxy cannot pass on an answer of ${target.url.host}: it is no valid HTTP.`,
    )
  })
  // Nobody asked for another protocol.
  sent.once("upgrade", (_answer, socket) => {
    socket.destroy()
    outgoing.destroy()
  })
  sent.on("error", (error) => {
    // A provider may answer and close before it has read the whole request: the answer counts.
    if (state.answer !== undefined || outgoing.destroyed) return
    // A connection that breaks is broken for the client, too. That there is none has to be said.
    if (state.isConnected) outgoing.destroy()
    else refuse(outgoing, 502, `Incipit's proxy cannot reach ${target.url.host}: ${systemReason(error)}.`)
  })
  outgoing.once("close", () => {
    // The client has gone: nobody waits for the answer.
    if (!outgoing.writableFinished) sent.destroy()
    void over()
  })
  passOn(incoming, sent, copies?.request)
  if (isExpecting) sent.flushHeaders()
}

function open(incoming: IncomingMessage, { target, agent }: Forwarding): ClientRequest {
  const { url, path } = target
  const { method = "GET", rawHeaders } = incoming
  const make = url.protocol === "https:" ? secure : plain
  return make({
    ...{ agent, path, method, maxHeaderSize: MOST_HEADER_BYTES },
    ...{ protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ""), port: url.port },
    headers: requestHeaders(method, rawHeaders, url.host),
  })
}

function passOn(incoming: IncomingMessage, sent: ClientRequest, copy: Copy | undefined): void {
  incoming.on("data", (chunk: Buffer) => {
    copy?.take(chunk)
    if (!sent.write(chunk)) incoming.pause()
  })
  sent.on("drain", () => incoming.resume())
  incoming.once("end", () => {
    if (incoming.rawTrailers.length > 0) sent.addTrailers(pairsOf(incoming.rawTrailers))
    sent.end()
  })
  incoming.once("error", () => sent.destroy())
  // A client may announce a body and send it late; the provider should know by then.
  setImmediate(() => {
    if (!sent.destroyed) sent.flushHeaders()
  })
}

/** Node reads some answers that it does not write, and throws. */
function canPass({ statusCode = 0, statusMessage = "" }: IncomingMessage): boolean {
  return statusCode >= 100 && !/[^\t\x20-\x7e\x80-\xff]/.test(statusMessage)
}

function passBack(answer: IncomingMessage, outgoing: ServerResponse, copy: Copy | undefined): void {
  outgoing.sendDate = false
  const headers = answerHeaders(outgoing.req.httpVersion, answer.rawHeaders)
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers)
  // The first words of a stream may come much later than its headers.
  setImmediate(() => {
    if (!outgoing.destroyed) outgoing.flushHeaders()
  })
  answer.on("data", (chunk: Buffer) => {
    copy?.take(chunk)
    if (!outgoing.write(chunk)) answer.pause()
  })
  outgoing.on("drain", () => answer.resume())
  answer.once("end", () => {
    if (answer.rawTrailers.length > 0) outgoing.addTrailers(pairsOf(answer.rawTrailers))
    outgoing.end()
  })
  // An answer that breaks off must not look like one that ended.
  answer.once("close", () => {
    if (!answer.complete) outgoing.destroy()
  })
  answer.once("error", () => outgoing.destroy())
}

interface Passed {
  readonly incoming: IncomingMessage
  readonly answer: IncomingMessage
  readonly request: Copy
  readonly response: Copy
  readonly from: number
  readonly at: number
}

function exchangeOf({ incoming, answer, request, response, from, at }: Passed): Exchange {
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    requestHeaders: incoming.rawHeaders,
    request: request.whole(),
    status: answer.statusCode ?? 0,
    responseHeaders: answer.rawHeaders,
    response: response.whole(),
    ...{ from, at },
  }
}
