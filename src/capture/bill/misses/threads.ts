// The last call of each conversation, for comparing the next one with it. The texts of only so many conversations are
// kept; of the others, what was used and when.
import type { CapturedCall } from "../../call.ts"
import type { ThreadCall } from "./find-miss.ts"

/** The last call, made ready only if it is needed: those before the period may never be. */
export interface LastCall {
  call: CapturedCall
  ready: ThreadCall | undefined
  /** Input of the first call of the conversation. */
  readonly firstInput: number
  readonly lifetimes: ReadonlySet<string>
  /** How many parts the request before it had. */
  readonly parts: number
}

export interface Threads {
  get(key: string): LastCall | undefined
  set(key: string, last: LastCall): void
}

const MOST_WITH_TEXT = 16
const MOST = 10_000

export function threadKey({ client, session, thread }: CapturedCall): string {
  return `${client}\n${session}\n${thread}`
}

export function createThreads(): Threads {
  const withText = new Map<string, LastCall>()
  const others = new Map<string, LastCall>()
  return {
    get: (key) => withText.get(key) ?? others.get(key),
    set(key, last) {
      withText.delete(key)
      others.delete(key)
      withText.set(key, last)
      // The least recently used is the first.
      for (const [oldest, entry] of withText) {
        if (withText.size <= MOST_WITH_TEXT) break
        withText.delete(oldest)
        others.set(oldest, withoutText(entry))
      }
      for (const oldest of others.keys()) {
        if (others.size <= MOST) break
        others.delete(oldest)
      }
    },
  }
}

function withoutText({ call, ready, ...rest }: LastCall): LastCall {
  const bare = bareCall(call, "none")
  const kept = ready && { ...ready, call: bare, parts: [], owned: [], settings: {} }
  return { call: bare, ready: kept, ...rest }
}

/** Without what takes memory. */
export function bareCall(call: CapturedCall, coverage = call.coverage): CapturedCall {
  return { ...call, coverage, request: undefined, files: [] }
}
