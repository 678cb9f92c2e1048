// Text that is too long is refused before anything counts or stores it: one very long message would hold up everybody.
import { bytesOf, isTextFile } from "../../../agent/inbox/message/message-files.ts"
import { SurfaceError } from "../surface-error.ts"
import type { Said, TalkRequest } from "./talk-request.ts"

/** In characters: about 250,000 tokens. */
const MOST_IN_MESSAGE = 1_000_000
/** Of the whole conversation; more than fits into the window of any model. */
const MOST_IN_ALL = 5_000_000

/** Throws for a request with more text than is read. */
export function checkLength({ instructions = "", earlier, message }: LongRequest): void {
  const newest = lengthOf(message) + instructions.length
  if (newest > MOST_IN_MESSAGE) throw tooLong("the new message and the instructions have", newest)
  const all = earlier.reduce((sum, said) => sum + lengthOf(said), newest)
  if (all > MOST_IN_ALL) throw tooLong("the conversation has", all)
}

type LongRequest = Pick<TalkRequest, "instructions" | "earlier" | "message">

/** Files of text become part of the message, and the inputs of calls are sent as JSON. */
function lengthOf({ text, calls, results, files }: Said): number {
  const inputs = calls.reduce((sum, { input }) => sum + JSON.stringify(input).length, 0)
  const inFiles = bytesOf(files.filter(isTextFile))
  return results.reduce((sum, result) => sum + result.text.length, text.length + inputs + inFiles)
}

function tooLong(what: string, length: number): SurfaceError {
  const limit = `at most ${MOST_IN_MESSAGE} are read of a message, and ${MOST_IN_ALL} of a conversation`
  return new SurfaceError(413, "text_too_long", `${what} ${length} characters of text; ${limit}`)
}
