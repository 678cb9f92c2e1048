// Text that should be a JSON object, from a file or a program that may have written anything.
import { isObject, type Json, type JsonObject } from "../record/write/request-marks.ts"

/** Returns undefined if it is not one. */
export function jsonObject(text: string): JsonObject | undefined {
  try {
    // JSON.parse returns nothing else.
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
