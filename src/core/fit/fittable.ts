// A text that wants room in a budget, with its whole form and a way to get shorter ones.
import type { Priority } from "../model/priority.ts"

/** `shorten` returns the longest form within a limit, or undefined if there is none. */
export interface Fittable<F extends { readonly tokens: number }> {
  readonly priority: Priority
  readonly whole: F
  readonly shorten: (limit: number) => F | undefined
}
