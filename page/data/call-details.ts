// Calls that were read already, so that moving back and forth through a session asks for each once. A recorded call
// never changes once it is answered; what a folder or a file shows does.
import type { CallDetail, CallRow } from "../../src/serve/page/shown.ts"
import { currentSource, readCall } from "./calls.ts"
import { changes } from "./live.ts"
import { type Loaded, useLoaded } from "./load.ts"

/** Each may have a megabyte of text. */
const MOST_KEPT = 24

const kept = new Map<string, Promise<CallDetail>>()

function keyOf({ id, usage }: CallRow): string {
  const source = currentSource()
  const isFixed = usage !== null && (source === "agent" || source === "captures")
  return `${source} ${id} ${isFixed ? "" : changes.value}`
}

function keptCall(call: CallRow): Promise<CallDetail> {
  const key = keyOf(call)
  const found = kept.get(key) ?? readCall(call.id, { source: currentSource() })
  // The newest last.
  kept.delete(key)
  kept.set(key, found)
  found.catch(() => kept.delete(key))
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return found
}

/** One call as the model received it; the call before stays while this one loads. */
export function useCallDetail(call: CallRow | undefined): Loaded<CallDetail> {
  // Without a call there is no key, and nothing is loaded.
  return useLoaded(call && keyOf(call), () => keptCall(call as CallRow))
}

/** Reads calls that are likely to be shown next. */
export function readAhead(calls: readonly CallRow[]): void {
  // What fails is asked for again when it is shown, and then says why.
  for (const call of calls) keptCall(call).catch(() => {})
}
