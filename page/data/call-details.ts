// Calls that were read already, so that moving back and forth through a session asks for each once. A recorded call
// never changes; what a folder or a file shows does.
import type { CallDetail } from "../../src/serve/page/shown.ts"
import { currentSource, readCall } from "./calls.ts"
import { changes } from "./live.ts"
import { type Loaded, useLoaded } from "./load.ts"

/** Each may have a megabyte of text. */
const MOST_KEPT = 24

const kept = new Map<string, Promise<CallDetail>>()

function keyOf(id: string): string {
  const source = currentSource()
  const isFixed = source === "agent" || source === "captures"
  return `${source} ${id} ${isFixed ? "" : changes.value}`
}

function keptCall(id: string): Promise<CallDetail> {
  const key = keyOf(id)
  const found = kept.get(key) ?? readCall(id, { source: currentSource() })
  // The newest last.
  kept.delete(key)
  kept.set(key, found)
  found.catch(() => kept.delete(key))
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return found
}

/** One call as the model received it; the call before stays while this one loads. */
export function useCallDetail(id: string | undefined): Loaded<CallDetail> {
  return useLoaded(id === undefined ? undefined : keyOf(id), () => keptCall(id ?? ""))
}

/** Reads calls that are likely to be shown next. */
export function readAhead(ids: readonly string[]): void {
  // What fails is asked for again when it is shown, and then says why.
  for (const id of ids) keptCall(id).catch(() => {})
}
