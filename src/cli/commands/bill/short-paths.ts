// A bill for people: paths within the folders that clients worked in begin there, and the home folder is `~`.
import { basename } from "node:path"
import type { Bill } from "../../../capture/bill/bill.ts"
import { jsonTexts } from "../../../record/write/json-texts.ts"

export function withShortPaths(bill: Bill, home: string | undefined): Bill {
  const projects = [...new Set(bill.bySession.flatMap(({ project }) => project ?? []))]
    .filter((path) => path.length > 1)
    // A folder within another goes first.
    .toSorted((a, b) => b.length - a.length)
  const isOne = projects.length === 1
  const changes = [
    ...projects.map((path) => [`${path}/`, isOne ? "" : `${basename(path)}/`] as const),
    ...(home === undefined || home === "/" ? [] : [[`${home}/`, "~/"] as const]),
  ]
  const short = (text: string) =>
    changes.reduce(
      (shown, [long, brief]) => (shown.includes(long) ? shown.replaceAll(long, brief) : shown),
      text,
    )
  const { texts, fill } = jsonTexts(JSON.stringify(bill))
  // It was a bill, and only its strings have changed.
  return JSON.parse(fill(texts.map(short))) as Bill
}

/** With `~` for the home folder. */
export function shortPath(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
