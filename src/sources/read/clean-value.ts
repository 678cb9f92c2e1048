// Cleans parsed values: an escape in YAML or JSON can bring back characters that were removed from the file's text.
// Removes control characters and hidden text from the values, too.
import { withoutHiddenText } from "../../base/text/hidden-text.ts"
import { withoutControls } from "./control-characters.ts"

export function cleanValue(text: string): string {
  return withoutHiddenText(withoutControls(text).text.replaceAll("\0", ""))
}

/** Every string in nested lists and maps. */
export function cleanValues(value: unknown): unknown {
  if (typeof value === "string") return cleanValue(value)
  if (Array.isArray(value)) return value.map(cleanValues)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanValues(item)]))
}
