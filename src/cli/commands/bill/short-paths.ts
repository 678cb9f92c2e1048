// A bill for people: paths within the folders that clients worked in begin there, and the home folder is `~`.
import { basename } from "node:path"
import type { Bill } from "../../../capture/bill/bill.ts"
import { jsonTexts } from "../../../record/write/json-texts.ts"

export function withShortPaths(bill: Bill, home: string | undefined): Bill {
  const named = new Set(bill.bySession.flatMap(({ project }) => project ?? []))
  const projects = [...named].filter((path) => path.length > 1)
  const isOne = projects.length === 1
  const briefs = new Map([
    ...(home === undefined || home === "/" ? [] : [[home, "~/"] as const]),
    ...projects.map((path) => [path, isOne ? "" : `${basename(path)}/`] as const),
  ])
  const short = (text: string) => withBriefs(text, briefs)
  const { texts, fill } = jsonTexts(JSON.stringify(bill))
  // It was a bill, and only its strings have changed.
  return JSON.parse(fill(texts.map(short))) as Bill
}

/** There may be thousands of folders, so each path in a text is looked up, and not each folder in it. */
function withBriefs(text: string, briefs: ReadonlyMap<string, string>): string {
  let shown = ""
  let from = 0
  for (let at = text.indexOf("/"); at !== -1; ) {
    const long = longestAt(text, at, briefs)
    if (long !== undefined) {
      shown += `${text.slice(from, at)}${briefs.get(long) ?? ""}`
      from = at + long.length + 1
    }
    at = text.indexOf("/", long === undefined ? at + 1 : from)
  }
  return shown + text.slice(from)
}

const DEEPEST = 64

/** The longest known folder that a path goes through: one within another is meant itself. */
function longestAt(text: string, at: number, briefs: ReadonlyMap<string, string>): string | undefined {
  let longest: string | undefined
  let end = at
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    end = text.indexOf("/", end + 1)
    if (end === -1) break
    const folder = text.slice(at, end)
    if (briefs.has(folder)) longest = folder
  }
  return longest
}

/** With `~` for the home folder. */
export function shortPath(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
