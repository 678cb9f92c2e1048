// Reads keys from a terminal as they arrive. An escape that nothing follows for a moment is the Escape key.
import type { Streams } from "../../terminal.ts"
import { flushKeys, type Key, NO_KEYS, readKeys } from "./keys.ts"

/** Longer than the gaps within a sequence, even over a slow line; too short to notice. */
const ESCAPE_MS = 60

/** Returns the function that stops listening. */
export function listenToKeys(
  input: Streams["input"],
  { onKey, onEnd }: { readonly onKey: (key: Key) => void; readonly onEnd: () => void },
): () => void {
  let state = NO_KEYS
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    const read = flushKeys(state)
    state = read.state
    for (const key of read.keys) onKey(key)
  }
  const take = (chunk: Uint8Array) => {
    clearTimeout(timer)
    const read = readKeys(state, chunk)
    state = read.state
    for (const key of read.keys) onKey(key)
    if (state.text !== "" && state.paste === undefined) timer = setTimeout(flush, ESCAPE_MS)
  }
  input.setRawMode?.(true)
  input.on("data", take)
  input.on("end", onEnd)
  input.resume()
  return () => {
    clearTimeout(timer)
    input.off("data", take)
    input.off("end", onEnd)
    input.setRawMode?.(false)
    input.pause()
  }
}
