// A failure of the world as a chat says it.
import type { IncipitError } from "../../core/error.ts"
import { visible } from "./visible.ts"

/** Help about words of a command line helps nobody in a chat. */
export function failureText({ code, message, help }: IncipitError): string {
  return code === "bad-argument" ? visible(message) : `${visible(message)}. ${help}`
}
