// What the model is told when a call gave no result: what happened, and whether it may have had an effect.
import { ToolFailure } from "../../../tools/host.ts"
import { framed } from "../text.ts"
import type { CallOutcome, CallResult } from "./call-tool.ts"

export interface FailureFacts {
  readonly server: string
  readonly limitMs: number
  /** The caller stopped; otherwise the time was up. */
  readonly isStopped: boolean
  /** Cuts a text of the server's and removes keys. */
  readonly short: (text: string) => string
}

/** The result, or a `ToolFailure`. */
export function resultOf(
  outcome: CallOutcome,
  { server, limitMs, isStopped, short }: FailureFacts,
): CallResult {
  const name = `The server "${server}"`
  const said = (text: string) => framed({ server }, short(text))
  switch (outcome.kind) {
    case "answered":
      return outcome.result
    case "refused":
      throw new ToolFailure(`${name} refused the call.\n${said(outcome.text)}`)
    case "pages":
      throw new ToolFailure(
        `${name} did nothing yet: the person has to finish something on a page first. Call again once they say that it is done.`,
      )
    case "garbled":
      throw new ToolFailure(`${name} sent an answer that is not valid MCP.`)
    case "expired":
      throw new ToolFailure(`${name} lost its session twice; the call had no effect.`)
    case "unauthorized":
      throw new ToolFailure(
        `${name} did nothing: ${NEEDS[outcome.scope === undefined ? "sign-in" : "rights"]}`,
        {
          detail: `The command for it: incipit mcp login ${server}\n${said(outcome.why)}`,
        },
      )
    case "unreached":
      throw new ToolFailure(`${name} cannot be reached; the call had no effect.`, {
        detail: said(outcome.why),
      })
    case "lost":
      throw new ToolFailure(
        `${name} was lost during the call, which may have taken effect. The next call starts it again.`,
        { detail: said(outcome.why) },
      )
    case "aborted":
      if (isStopped) throw new ToolFailure("The call was stopped.")
      throw new ToolFailure(`${name} did not answer within ${limitMs}ms; the call may have taken effect.`)
  }
}

const NEEDS = {
  "sign-in": "the operator has to sign in to it again.",
  rights: "this call needs more rights than the sign-in has. The operator can sign in again to grant them.",
} as const
