// The text of a failure in a chat.
import { IncipitError } from "../../base/error.ts"
import { isAboutData, isFromDatabase } from "../../database/sqlite/failure.ts"
import { visible } from "./screen/visible.ts"

/** Undefined for our own mistakes. Leaves out help about command-line arguments, which is useless in a chat. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof IncipitError) {
    const { code, message, help } = error
    return code === "bad-argument" ? visible(message) : `${visible(message)}. ${help}`
  }
  // A full disk, for example: the chat continues without storing this.
  if (!isFromDatabase(error) || isAboutData(error)) return undefined
  return failureText(new IncipitError("unusable-database", `this cannot be saved: ${error.message}`))
}
