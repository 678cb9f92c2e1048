// What a local server is to do with a request, as data. The same for every protocol.
import type { OutgoingHttpHeaders } from "node:http"
import type { Usage } from "../../../../src/render/cache/price.ts"

export interface ScriptedCall {
  readonly name: string
  readonly input: unknown
  readonly id?: string
  readonly json?: string
}

export type Part =
  | { readonly text: string }
  | { readonly reasoning: string }
  /** `json`: the input as it is written, in place of `input`, for what is not JSON. */
  | { readonly call: ScriptedCall }
  /** An error that comes in the stream, after status 200. Nothing follows it. */
  | { readonly error: { readonly type: string; readonly message: string } }

export type Script =
  | {
      readonly kind: "reply"
      readonly parts: readonly Part[]
      /** In place of the server's own count; "none": nothing is reported. */
      readonly usage?: Partial<Usage> | "none"
      /** The answer ended because there was no more room. */
      readonly stop?: "length"
      /** Every chunk waits for `release()`. */
      readonly slow?: true
    }
  | {
      readonly kind: "error"
      readonly status: number
      /** The protocol's usual form with the status in words if absent. */
      readonly body?: unknown
      readonly headers?: OutgoingHttpHeaders
    }
  /** The headers, then nothing until it is released; then an answer. */
  | { readonly kind: "stall" }
  /**
   * The connection goes after so many whole parts, or in the middle of the next one. What the client has not read by
   * then may be lost to it; `held` waits for a release.
   */
  | {
      readonly kind: "cut"
      readonly parts: readonly Part[]
      readonly afterParts: number
      readonly midway?: true
      readonly held?: true
    }
  /** Status 200, the right type, and nonsense. */
  | { readonly kind: "garbage"; readonly body?: string }
