// Takes a responsibility out of the configuration, and leaves everything else in the file as it was written.
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { isMap, isSeq, parseDocument } from "yaml"

/** False if there is none with that title. */
export function removeResponsibility(path: string, title: string): boolean {
  const document = parseDocument(readFileSync(path, "utf8"))
  const list = document.get("responsibilities")
  if (!isSeq(list)) return false
  const at = list.items.findIndex((item) => isMap(item) && item.get("title") === title)
  if (at === -1) return false
  list.items.splice(at, 1)
  if (list.items.length === 0) document.delete("responsibilities")
  const part = `${path}.${process.pid}.part`
  writeFileSync(part, document.toString({ lineWidth: 0 }))
  renameSync(part, path)
  return true
}
