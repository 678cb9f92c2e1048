// The names in a folder, in a fixed order. Returns none if the folder cannot be read.
import { readdirSync } from "node:fs"
import { byCodePoint } from "../base/order.ts"
import { errorCode } from "../base/system-error.ts"

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
