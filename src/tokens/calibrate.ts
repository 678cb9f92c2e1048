// Learns a model's factor from what its provider billed. Pure data in and out, so that a host can store it with its
// settings. It knows neither the model nor the time.
import type { Factor } from "./factor.ts"

/** One request: our o200k count, and the input tokens that the provider reported for the same text. */
export interface Observation {
  readonly counted: number
  readonly actual: number
}

/** What was learned about a model's tokens from calls that reported their usage. */
export interface Calibration {
  readonly observations: number
  /** Sums over all observations. */
  readonly counted: number
  readonly actual: number
  /** The sum of actual² / counted, from which the spread is computed. */
  readonly squares: number
  /** Actual tokens per counted token. Large requests weigh more, because they are more informative. */
  readonly factor: number
  /** The standard deviation of the ratio, with the same weights. */
  readonly spread: number
}

/** No tokenizer differs this much on a prompt. Such a ratio means a wrong count or a request with other content. */
const LOWEST_RATIO = 0.5
const HIGHEST_RATIO = 4

/**
 * Learns a model's token factor from a call that reported its usage. Returns `previous` unchanged if the observation
 * is implausible.
 */
export function calibrate(previous: Calibration | undefined, observation: Observation): Calibration {
  const before = previous ?? NOTHING_SEEN
  if (!isPlausible(observation)) return before
  const counted = before.counted + observation.counted
  const actual = before.actual + observation.actual
  const squares = before.squares + observation.actual ** 2 / observation.counted
  const factor = actual / counted
  const variance = squares / counted - factor ** 2
  // With equal ratios, rounding may leave a variance just below zero.
  const spread = Math.sqrt(Math.max(0, variance))
  return { observations: before.observations + 1, counted, actual, squares, factor, spread }
}

const NOTHING_SEEN: Calibration = { observations: 0, counted: 0, actual: 0, squares: 0, factor: 1, spread: 0 }

function isPlausible({ counted, actual }: Observation): boolean {
  if (!Number.isFinite(counted) || !Number.isFinite(actual) || counted <= 0 || actual <= 0) return false
  const ratio = actual / counted
  return ratio >= LOWEST_RATIO && ratio <= HIGHEST_RATIO
}

const ENOUGH_OBSERVATIONS = 5
const ENOUGH_TOKENS = 10_000
const WIDEST_SPREAD = 0.25

/**
 * The factor of a model, with what was learned about it. The learned factor replaces the base once it rests on five
 * requests and 10,000 tokens, so that the fixed overhead of small requests doesn't pass for a factor, and while the
 * requests agree within a quarter: a wider spread means that something other than the tokenizer varies. An exact
 * factor is known and never replaced.
 */
export function calibratedFactor(base: Factor, calibration: Calibration | undefined): Factor {
  if (base.exact || calibration === undefined || !isSettled(calibration)) return base
  const { observations, spread } = calibration
  return {
    factor: calibration.factor,
    exact: false,
    source: `calibrated on ${observations} requests, spread ${spread.toFixed(3)}`,
  }
}

function isSettled({ observations, counted, spread }: Calibration): boolean {
  return observations >= ENOUGH_OBSERVATIONS && counted >= ENOUGH_TOKENS && spread <= WIDEST_SPREAD
}
