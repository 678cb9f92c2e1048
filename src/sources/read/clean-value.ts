// Values of a file that is not read as it stands: an escape of YAML or JSON can bring in what the text of the file was
// rid of. Control characters and hidden text are taken out of the values too.
import { withoutHiddenText } from "../../base/text/hidden-text.ts"
import { withoutControls } from "./control-characters.ts"

export function cleanValue(text: string): string {
  return withoutHiddenText(withoutControls(text).text.replaceAll("\0", ""))
}

/** Every text in a value of lists and maps, however they stand in each other. */
export function cleanValues(value: unknown): unknown {
  if (typeof value === "string") return cleanValue(value)
  if (Array.isArray(value)) return value.map(cleanValues)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanValues(item)]))
}
