// After a command: what it made that would become part of a prompt or run on the host later gets another name, and the
// model is told. The file tools can make such a file, and ask first.
import { basename, dirname } from "node:path"
import { shownFrom } from "../files/inside.ts"
import { entryAt, grantOwner, restoreLink, setAside } from "../files/set-aside.ts"
import type { CommandEnd } from "../tools/command-place.ts"
import { limitNotes } from "./limit-notes.ts"
import type { InsideEnd } from "./sandbox-state.ts"
import type { SandboxLimits } from "./settings.ts"
import type { Watched } from "./view.ts"
import { newEntries } from "./visible/fixed-entries.ts"

const ASIDE = ".from-sandbox"
const MOST_SHOWN = 10

/** How a command ended, with notes. A command that was stopped may have made something, too. */
export async function notedEnd(
  watched: Watched,
  limits: SandboxLimits,
  run: () => Promise<CommandEnd>,
): Promise<InsideEnd> {
  let notes: readonly string[] = []
  const end = await run().finally(() => {
    notes = keptOut(watched)
  })
  return { ...end, notes: [...limitNotes(end, limits), ...notes] }
}

export function keptOut({ before, options }: Watched): readonly string[] {
  if (options.folders.length === 0) return []
  const renamed = newEntries(before, options).flatMap((path) => {
    // The command may have taken the right to change its folder.
    const aside = setAside(path, ASIDE) ?? (grantOwner(dirname(path)) ? setAside(path, ASIDE) : undefined)
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
