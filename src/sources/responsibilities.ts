// Takes a responsibility out of the configuration, and leaves everything else in the text as it was written.
import { isMap, isSeq, parseDocument } from "yaml"

/** Nothing if there is none with that title. */
export function withoutResponsibility(text: string, title: string): string | undefined {
  const document = parseDocument(text)
  const list = document.get("responsibilities")
  if (!isSeq(list)) return undefined
  const at = list.items.findIndex((item) => isMap(item) && item.get("title") === title)
  if (at === -1) return undefined
  list.items.splice(at, 1)
  if (list.items.length === 0) document.delete("responsibilities")
  return document.toString({ lineWidth: 0 })
}
