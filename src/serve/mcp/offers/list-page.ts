// A part of a long list. A cursor is the place where it goes on, so that a page has one meaning.
import { badInput } from "../tools/mcp-tool.ts"

const PAGE_ITEMS = 100

export interface ListPage<T> {
  readonly page: T[]
  readonly nextCursor?: string
}

/** Throws for a cursor that no page of this list has. */
export function pageOf<T>(items: readonly T[], cursor: string | undefined): ListPage<T> {
  const start = cursor === undefined ? 0 : placeIn(cursor)
  const end = start + PAGE_ITEMS
  return { page: items.slice(start, end), ...(end < items.length && { nextCursor: String(end) }) }
}

/** A list that became shorter since the page before has nothing there. */
function placeIn(cursor: string): number {
  const place = /^[1-9]\d{1,8}$/.test(cursor) ? Number(cursor) : 0
  if (place === 0 || place % PAGE_ITEMS !== 0) throw badInput("the cursor isn't one of this list")
  return place
}
