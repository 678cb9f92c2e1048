// The pause before a record that was locked is tried again. It grows with every attempt.
import { setTimeout as pause } from "node:timers/promises"

const LONGEST_PAUSE_MS = 100

/** Random, so that processes do not keep colliding. The timer must not keep the process alive. */
export function pauseBefore(tries: number): Promise<void> {
  const ms = Math.min(LONGEST_PAUSE_MS, 10 * 2 ** tries)
  return pause(ms * (0.5 + Math.random()), undefined, { ref: false })
}
