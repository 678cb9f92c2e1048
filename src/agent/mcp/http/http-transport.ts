// A server over HTTP. Its answer to a request may be a stream, and a stream that breaks off without one would leave the
// request waiting: the protocol's client hopes for another stream, which a server that was killed never opens.
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type RequestId,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client"

type OnMessage = NonNullable<StreamableHTTPClientTransport["onmessage"]>

/** The code of an error that no server sent. JSON-RPC leaves this one to implementations. */
export const CUT_OFF = -32_099

export class HttpTransport extends StreamableHTTPClientTransport {
  /** Closed because a message was too long. */
  isTooLong = false
  /** Requests without an answer. */
  readonly #open = new Set<RequestId>()
  #take: OnMessage | undefined

  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, options)
    // The protocol's client sets it when it connects, and calls what was there before.
    Object.defineProperty(this, "onmessage", {
      get: () => this.#take,
      set: (take: OnMessage | undefined) => {
        this.#take = take && ((message) => this.#pass(message, take))
      },
    })
  }

  override async send(
    ...[message, options]: Parameters<StreamableHTTPClientTransport["send"]>
  ): Promise<void> {
    // Who wants to hear of the end by themselves has opened a stream that has no answer.
    const isAnswered = isJSONRPCRequest(message) && options?.onRequestStreamEnd === undefined
    if (!isAnswered) return super.send(message, options)
    const { id } = message
    this.#open.add(id)
    const onRequestStreamEnd = () => {
      const error = { code: CUT_OFF, message: "the connection broke off before the answer" }
      if (this.#open.has(id)) this.#take?.({ jsonrpc: "2.0", id, error })
    }
    try {
      await super.send(message, { ...options, onRequestStreamEnd })
    } catch (error) {
      this.#open.delete(id)
      throw error
    }
  }

  #pass(message: Parameters<OnMessage>[0], take: OnMessage): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message))
      if (message.id !== undefined) this.#open.delete(message.id)
    take(message)
  }
}
