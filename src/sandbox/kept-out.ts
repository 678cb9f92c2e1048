// After a command: what it made that would become part of a prompt or run on the host later gets another name, and the
// model is told. The file tools can make such a file, and ask first.
import { basename } from "node:path"
import { shownFrom } from "../files/inside.ts"
import { entryAt, restoreLink, setAside } from "../files/set-aside.ts"
import type { Watched } from "./view.ts"
import { newEntries } from "./visible/fixed-entries.ts"

const ASIDE = ".from-sandbox"
const MOST_SHOWN = 10

export function keptOut({ before, options }: Watched): readonly string[] {
  if (options.folders.length === 0) return []
  const renamed = newEntries(before, options).flatMap((path) => {
    const aside = setAside(path, ASIDE)
    return aside === undefined ? [] : [`${shownFrom(path, options.workspace)} to ${basename(aside)}`]
  })
  for (const [path, { target }] of before.entries)
    if (target !== undefined && entryAt(path) === undefined) restoreLink(path, target)
  if (renamed.length === 0) return []
  const more = renamed.length > MOST_SHOWN ? ` and ${renamed.length - MOST_SHOWN} more` : ""
  return [
    `[renamed ${renamed.slice(0, MOST_SHOWN).join(", ")}${more}: commands in the sandbox may not make files that become part of a prompt or that run later. Make them with a file tool, or run the command on the host.]`,
  ]
}
