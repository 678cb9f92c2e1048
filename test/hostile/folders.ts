// The hostile folders that every command is tried in: a few with as many tricks as go together, and each trick alone.
import type { Trick } from "./place.ts"
import { BOMBS } from "./tricks/bombs.ts"
import { CODE_TRICKS, LONE_CODE_TRICKS, TELEMETRY } from "./tricks/code.ts"
import { FILE_TRICKS, LONE_FILE_TRICKS } from "./tricks/files.ts"
import { GIT_TRICKS, LONE_GIT_TRICKS } from "./tricks/git.ts"
import { LINK_TRICKS, LONE_LINK_TRICKS } from "./tricks/links.ts"
import { ARCHIVED, CLONED } from "./tricks/shipping.ts"
import { LONE_STATE_TRICKS, STATE_TRICKS } from "./tricks/state.ts"

export interface HostileFolder {
  readonly name: string
  readonly tricks: readonly Trick[]
}

const TOGETHER = [...GIT_TRICKS, ...CODE_TRICKS, TELEMETRY, ...STATE_TRICKS, ...FILE_TRICKS, ...LINK_TRICKS]
const LONE = [
  ...[...LONE_GIT_TRICKS, ...LONE_CODE_TRICKS, ...LONE_STATE_TRICKS],
  ...[...LONE_FILE_TRICKS, ...LONE_LINK_TRICKS, ...BOMBS],
]

/** Tried with every command each time the tests run. */
export const COMBINED: HostileFolder = {
  name: "everything that goes together, unpacked from an archive",
  tricks: [...TOGETHER, ARCHIVED],
}

/** Whatever is asked about, without the names and links that only make a screen hard to read. */
export const CALM: readonly Trick[] = [...GIT_TRICKS, ...CODE_TRICKS, ...STATE_TRICKS]

/** Like the one above, but git itself wrote the folder. */
export const CLONED_WITH_GIT: HostileFolder = {
  name: "everything that goes together, cloned with git",
  tricks: [...TOGETHER, CLONED],
}

/** Several tricks that don't go with the others, in the long run. */
export const MIXED: readonly HostileFolder[] = [
  mix("pipes in place of files", /is a pipe$/),
  mix("links to the user's files and to new ones", /is a link to (?:the user's|a new file)/),
  mix("links that never end", /is a link to (?:\/dev|\/proc|itself)/),
  mix("files of 10 GB", /10 GB$/),
]

/** Tried alone, with every command, in the long run. */
export const ALONE: readonly HostileFolder[] = [...TOGETHER, ...LONE].map((trick) => ({
  name: trick.name,
  tricks: [trick],
}))

/** Of several tricks with one file, the last is what stays. */
function mix(name: string, which: RegExp): HostileFolder {
  return {
    name,
    tricks: LONE.filter((trick) => which.test(trick.name) && !/\.git\b|^state: \.incipit/.test(trick.name)),
  }
}
