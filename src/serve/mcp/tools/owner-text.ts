// Whose text something is, in a few words.
import type { Owner } from "../../../capture/owner.ts"

export function ownerText({ kind, path, lines, name = "", server = "", input = "" }: Owner): string {
  const place = lines === undefined ? (path ?? "") : `${path}:${lines.join("-")}`
  const words = [kind, server, name, place, input]
  return words.filter((word) => word !== "").join(" ")
}
