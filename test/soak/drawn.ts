// What a long run leaves to chance: the same for the same SOAK_SEED, which each run prints.
import process from "node:process"

export const SOAK_SEED = Number(process.env.SOAK_SEED ?? 1)
/** Nothing is left out. */
export const SOAK_ALL = process.env.SOAK_ALL === "true"

/** Numbers below a limit, the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function shuffled<T>(all: readonly T[], random: (below: number) => number): readonly T[] {
  return all
    .map((one) => ({ one, at: random(2 ** 32) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
