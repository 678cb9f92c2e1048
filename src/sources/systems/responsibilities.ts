// Removes a responsibility from the configuration, and leaves the rest of the text as it was.
import { isMap, isSeq } from "yaml"
import { readYaml } from "../read/yaml-text.ts"

/** Returns undefined if none has that title, or the text cannot be parsed. */
export function withoutResponsibility(text: string, title: string): string | undefined {
  const read = readYaml(text)
  if (read.kind === "problem") return undefined
  const { document } = read
  const list = document.get("responsibilities")
  if (!isSeq(list)) return undefined
  const at = list.items.findIndex((item) => isMap(item) && item.get("title") === title)
  if (at === -1) return undefined
  list.items.splice(at, 1)
  if (list.items.length === 0) document.delete("responsibilities")
  return document.toString({ lineWidth: 0 })
}
