// Shared by the benches: a timer that reports medians, and the Markdown they print. Compare ratios inside one table:
// absolute values depend on the machine and its load.
import { availableParallelism, cpus } from "node:os"
import process from "node:process"

export interface Work<I> {
  /** Makes the next input. Not timed. */
  readonly next: () => I
  readonly run: (input: I) => unknown
  /** How many inputs there are; unlimited if absent. */
  readonly limit?: number
}

/** Long enough for the optimizing compiler to finish. */
const WARM_UP_MS = 1_500
const ROUNDS_MS = 400
const ROUNDS = 41
/** Slower work is not repeated. */
const ONCE_MS = 1_000

/** The median of the rounds' means, in ms per run. A round of fast work has many runs, one of slow work has one. */
export async function measure<I>({ next, run, limit = Number.POSITIVE_INFINITY }: Work<I>): Promise<number> {
  let left = limit
  const round = async (size: number): Promise<number> => {
    left -= size
    const inputs = Array.from({ length: size }, next)
    const start = performance.now()
    for (const input of inputs) {
      const done = run(input)
      if (done instanceof Promise) await done
    }
    return (performance.now() - start) / size
  }
  const first = await round(1)
  if (first > ONCE_MS || left < 1) return first
  let latest = first
  for (let spent = 0, size = 1; spent < WARM_UP_MS && left > limit / 2; size = nextSize(size, latest, left)) {
    latest = await round(size)
    spent += latest * size
  }
  const size = Math.max(1, Math.min(Math.floor(ROUNDS_MS / ROUNDS / latest), Math.floor(left / ROUNDS)))
  const rounds: number[] = []
  for (let spent = 0; rounds.length < ROUNDS && left >= size && (spent < ROUNDS_MS || rounds.length < 3); ) {
    const mean = await round(size)
    rounds.push(mean)
    spent += mean * size
  }
  return median(rounds)
}

/** Doubles the size while a round is short. */
function nextSize(size: number, ms: number, left: number): number {
  return size * ms < 5 && size * 2 < left / 2 ? size * 2 : size
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** Three significant digits, in a suitable unit. */
export function formatMs(ms: number): string {
  if (ms >= 1_000) return `${digits(ms / 1_000)} s`
  return ms >= 1 ? `${digits(ms)} ms` : `${digits(ms * 1_000)} µs`
}

export function digits(value: number): string {
  return value >= 100
    ? Math.round(value).toLocaleString("en-US")
    : value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3)
}

export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
  console.log(`${lines.join("\n")}\n`)
}

export interface Target {
  readonly what: string
  readonly bound: string
  readonly measured: string
  readonly holds: boolean
}

/** Prints which targets are met, and makes the process fail if one is not. */
export function checkTargets(targets: readonly Target[]): void {
  for (const { what, bound, measured, holds } of targets)
    console.log(`- [${holds ? "x" : " "}] ${what}: ${measured} (${bound})${holds ? "" : ": MISSED"}`)
  process.exitCode = targets.every(({ holds }) => holds) ? 0 : 1
}

export function machine(): string {
  const date = new Date().toISOString().slice(0, 10)
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.version}, ${date}`
}
