// When to look again at what another process does with a session: when the store says that something has changed, and
// otherwise now and then.
import type { WakeUps } from "../../database/contract/wake.ts"

export interface Looks {
  /** Resolves when it is time to look again. */
  next(): Promise<void>
  end(): void
}

/** How often to look without wake-ups. */
const POLL_MS = 50
/** How long a wake-up that was missed goes unnoticed. */
const MISSED_MS = 2_000

export function createLooks({ areSent, listen }: WakeUps, session: string): Looks {
  let isWoken = false
  let wake = () => {}
  let stop: (() => void) | undefined
  const heard = () => {
    isWoken = true
    wake()
  }
  return {
    async next() {
      // What happened before it listened causes no wake-up, so the first wait is short.
      const ms = areSent && stop !== undefined ? MISSED_MS : POLL_MS
      stop ??= listen(({ kind, session: about = session }) => {
        if (kind === "message" && about === session) heard()
      })
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      wake = resolve
      if (isWoken) resolve()
      await promise
      clearTimeout(timer)
      isWoken = false
    },
    end: () => stop?.(),
  }
}
