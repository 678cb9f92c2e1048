// A failure of the world as a chat says it.
import { IncipitError } from "../../base/error.ts"
import { isAboutData, isFromDatabase } from "../../database/sqlite/failure.ts"
import { visible } from "./screen/visible.ts"

/** Nothing for a mistake of our own. Help about words of a command line helps nobody in a chat. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof IncipitError) {
    const { code, message, help } = error
    return code === "bad-argument" ? visible(message) : `${visible(message)}. ${help}`
  }
  // A disk that is full, say: whatever the chat wanted to keep of this is not kept, and it goes on.
  if (!isFromDatabase(error) || isAboutData(error)) return undefined
  return failureText(new IncipitError("unusable-database", `this cannot be kept: ${error.message}`))
}
