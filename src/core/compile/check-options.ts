// Checks the options of a head and a step. A misspelled option would have no effect, and a prompt in the place of its
// `sent` would send everything again.
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { misspelled } from "../../base/nearest.ts"
import type { HeadOptions } from "../epoch/head.ts"
import type { StepOptions } from "../epoch/step.ts"

const HEAD = ["budget", "ttl", "baseline", "rebase", "tailForm", "edits", "diagnostics"]
const STEP = ["conversationTokens", "sent", "edits"]

/** Throws if an option of `head` has no effect or cannot be used. */
export function checkHeadOptions(options: HeadOptions): void {
  checkKeys("head", Object.keys(options), HEAD)
  const baseline: unknown = options.baseline
  const isBaseline =
    isRecord(baseline) && Array.isArray(baseline.entries) && typeof baseline.epoch === "number"
  if (baseline !== undefined && !isBaseline)
    throw new IncipitError("bad-input", "the option baseline of head must be the baseline of an earlier head")
}

/** Throws if an option of `step` has no effect or cannot be used. */
export function checkStepOptions(options: StepOptions): void {
  checkKeys("step", Object.keys(options), STEP)
  const { sent, conversationTokens }: { sent?: unknown; conversationTokens?: unknown } = options
  if (sent !== undefined && !(isRecord(sent) && isRecord(sent.sections)))
    throw new IncipitError("bad-input", "the option sent of step must be prompt.sent of the step before")
  if (conversationTokens !== undefined && !(Number(conversationTokens) >= 0))
    throw new IncipitError(
      "bad-input",
      `the option conversationTokens of step is ${String(conversationTokens)}, but must be a number of tokens`,
    )
}

/** Throws if one of the keys isn't known. */
export function checkKeys(name: string, keys: readonly string[], known: readonly string[]): void {
  const odd = keys.find((key) => !known.includes(key))
  if (odd === undefined) return
  const meant = misspelled(odd, known)
  const rest = meant === undefined ? `use ${known.join(", ")}` : `did you mean ${meant}?`
  throw new IncipitError("bad-input", `${name} has no option "${odd}"; ${rest}`)
}
