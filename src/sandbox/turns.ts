// Commands that may write the same folder take turns. Mounts go by path, so a command that runs while another is set up
// could swap a folder for a link, and have the other's sandbox show what the link leads to, such as the user's keys.
import { isInside } from "../files/inside.ts"

export interface Turn {
  /** Real paths of what may be written. */
  readonly folders: readonly string[]
  /** Ends the wait. */
  readonly signal: AbortSignal
}

interface Running {
  readonly folders: readonly string[]
  readonly ended: Promise<void>
}

/** Of the whole process: agents with boxes of their own may work in the same folder. */
const running = new Set<Running>()

/** Throws if it is stopped before its turn. */
export async function inTurn<T>({ folders, signal }: Turn, use: () => Promise<T>): Promise<T> {
  await untilFree(folders, signal)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const turn = { folders, ended }
  running.add(turn)
  try {
    return await use()
  } finally {
    running.delete(turn)
    resolve()
  }
}

async function untilFree(folders: readonly string[], signal: AbortSignal): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const onAbort = () => stop()
  signal.addEventListener("abort", onAbort, { once: true })
  try {
    for (;;) {
      signal.throwIfAborted()
      const other = [...running].find((one) => overlap(one.folders, folders))
      if (other === undefined) return
      await Promise.race([other.ended, stopped])
    }
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => isInside(one, other) || isInside(other, one)))
}
