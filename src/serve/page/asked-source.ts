// The source that a request to the page's routes names.
import { z } from "zod"
import { notFound } from "../api/not-found.ts"
import type { PageCall } from "./page-call.ts"
import type { PageSource } from "./page-source.ts"
import { SOURCES } from "./shown.ts"

export const askedSource = z.enum(SOURCES).optional().describe("Default: the first of this server.")

/** Throws the same for a source that this server doesn't have and for one that this reader may not see. */
export function sourceOf({ page, caller }: PageCall, id: string | undefined): PageSource {
  const shown = page.sources(caller)
  const found = id === undefined ? shown[0] : shown.find((one) => one.id === id)
  return found ?? missing()
}

export function missing(): never {
  throw notFound()
}
