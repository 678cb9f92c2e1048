// How clients announce a file that they quote: the line before it that names its path, and the line that ends it. Pure.
import { basename, dirname, join } from "node:path"
import type { TextLines } from "./text-lines.ts"
import type { Zone } from "./zones.ts"

/** A quoted file: the lines after its heading. */
export interface Quoted {
  readonly path: string
  readonly heading: number
  /** Lines; `to` is not included. */
  readonly from: number
  readonly to: number
  /** Whether `to` is certain to be its end. */
  readonly isClosed: boolean
}

interface Heading {
  /** Captures the path. */
  readonly start: RegExp
  /** What ends it for certain. Without it, only the next heading does. */
  readonly end?: RegExp
  /** For a heading that names the folder: the file in it. */
  readonly file?: string
}

const CLAUDE_END =
  /^<\/system-reminder>$|^# (?:claudeMd|userEmail|currentDate|gitStatus|directoryStructure)$|^IMPORTANT: this context may or may not be relevant/

const HEADINGS: readonly Heading[] = [
  { start: /^Contents of ([^\s:][^:]*?)(?: \([^()]*\))?:$/, end: CLAUDE_END },
  { start: /^Instructions from: (\S.*)$/ },
  { start: /^--- Context from: (.+?) ---$/, end: /^--- End of Context from: / },
  { start: /^<project_instructions path="([^"]+)">$/, end: /^<\/project_instructions>$/ },
  { start: /^<file (?:name|path)="([^"]+)">$/, end: /^<\/file>$/ },
  { start: /^# AGENTS\.md instructions for (\S.*)$/, end: /^<\/INSTRUCTIONS>$/, file: "AGENTS.md" },
  { start: /^#{2,3} (\/\S.*\.(?:md|mdc|txt))$/ },
]

/** Lines longer than this are no headings. */
const LONGEST = 1000

export function quotedFiles({ keys }: TextLines, zone: Zone): readonly Quoted[] {
  const found: { path: string; heading: number; from: number; end: RegExp | undefined }[] = []
  for (let at = zone.from; at < zone.to; at++) {
    const key = keys[at] ?? ""
    if (key.length > LONGEST) continue
    for (const { start, end, file } of HEADINGS) {
      const [, path] = start.exec(key) ?? []
      if (path === undefined) continue
      found.push({ path: file === undefined ? path : join(path, file), heading: at, from: at + 1, end })
      break
    }
  }
  return found.map(({ path, heading, from, end }, at) => {
    const next = found[at + 1]?.heading
    const limit = next ?? zone.to
    let to = from
    while (to < limit && end?.test(keys[to] ?? "") !== true) to += 1
    const isClosed = next !== undefined || to < limit
    return { path, heading, from: afterOpening(keys, from, to), to, isClosed }
  })
}

/** Past an empty line and a tag that opens right after the heading. */
function afterOpening(keys: readonly string[], from: number, to: number): number {
  let at = from
  while (at < to && at < from + 3 && (keys[at] === "" || keys[at] === "<INSTRUCTIONS>")) at += 1
  return at
}

/** How far above a quoted text its path is looked for. */
const LINES_ABOVE = 6

export interface NameOptions {
  readonly project: string | undefined
  readonly home: string
}

/** How well one of the lines above names a file: 2 by its whole path, 1 by its path in the project, 0 not at all. */
export function namedAbove({ keys }: TextLines, line: number, path: string, options: NameOptions): number {
  let best = 0
  for (let at = line - 1; at >= Math.max(0, line - LINES_ABOVE) && best < 2; at--)
    best = Math.max(best, namedIn(keys[at] ?? "", path, options))
  return best
}

export function namedIn(line: string, path: string, { project, home }: NameOptions): number {
  if (line.length > LONGEST || line === "") return 0
  if (hasPath(line, path)) return 2
  if (path.startsWith(`${home}/`) && hasPath(line, `~${path.slice(home.length)}`)) return 2
  const name = basename(path)
  if (!hasPath(line, name)) {
    if (project === undefined || !path.startsWith(`${project}/`)) return 0
    return hasPath(line, path.slice(project.length + 1)) ? 1 : 0
  }
  return hasPath(line, dirname(path)) ? 2 : 1
}

/** Whether a line contains a path that is not part of a longer one. */
function hasPath(line: string, path: string): boolean {
  for (let at = line.indexOf(path); at !== -1; at = line.indexOf(path, at + 1)) {
    const before = line.charAt(at - 1)
    const after = line.charAt(at + path.length)
    if (!/[\w/.~-]/.test(before) && !/[\w/-]/.test(after)) return true
  }
  return false
}
