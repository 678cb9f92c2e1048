// What a caller is told of a failure. A mistake of theirs is said; the reason of anything else may name what they may not
// see, such as a path of this machine.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { IncipitError } from "../../base/error.ts"
import { escapeHidden } from "../../record/ask/log.ts"
import { SurfaceError } from "../talk/surface-error.ts"
import type { McpServing } from "./mcp-view.ts"

type Failed = McpServing["failed"]

/** Of these, the message names no folder. */
const SAID: ReadonlySet<string> = new Set(["bad-argument", "not-recorded"])

const NOT_TOLD = "This cannot be answered now. The operator's log has the reason."

/** Most of them repeat what the caller sent, which may be long. */
const MOST_CHARACTERS = 500

/** `failed` hears the reason that the caller doesn't get. */
export function toldOf(error: unknown, failed: Failed): string {
  const words = wordsOf(error)
  if (words === undefined) failed(error)
  const told = words ?? NOT_TOLD
  return told.length <= MOST_CHARACTERS
    ? escapeHidden(told)
    : `${escapeHidden(told.slice(0, MOST_CHARACTERS))}... (${told.length - MOST_CHARACTERS} more characters)`
}

function wordsOf(error: unknown): string | undefined {
  if (error instanceof SurfaceError) return error.message
  if (!(error instanceof IncipitError)) return undefined
  if (error.code === "no-record") return "this workspace has no record yet"
  return SAID.has(error.code) ? error.message : undefined
}

/** For requests that have no result of their own for a failure: all but calls of tools. */
export function guarded<Asked extends readonly unknown[], Answer>(
  failed: Failed,
  handle: (...asked: Asked) => Promise<Answer>,
): (...asked: Asked) => Promise<Answer> {
  return async (...asked) => {
    try {
      return await handle(...asked)
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      const message = toldOf(error, failed)
      const isTheirs = wordsOf(error) !== undefined
      const { InvalidParams, InternalError } = ProtocolErrorCode
      throw new ProtocolError(isTheirs ? InvalidParams : InternalError, message)
    }
  }
}
