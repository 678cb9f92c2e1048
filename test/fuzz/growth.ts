// How the work of a parser grows with the text: run as a worker, it measures CPU time of its own thread, so other
// processes do not count. What takes four times the text may take nine times the time; the square would be sixteen.
import { isMainThread, parentPort, workerData } from "node:worker_threads"
import { PARSERS, type Parser, refuses } from "./parsers.ts"
import { SHAPES } from "./shapes.ts"

export interface Task {
  readonly parser: string
  readonly shapes: readonly string[]
  readonly sizes: readonly number[]
}

/** Shorter times are noise: the system counts in steps of some milliseconds. */
const LEAST_MS = 60
const TICK_MS = 4
const MOST_GROWTH = 9
const TRIES = 4
/** Nothing that a person waits for may take longer, whatever its growth. */
const MOST_MS = 10_000

async function timeOf(parser: Parser, text: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    await parser(text)
  } catch (error) {
    if (!refuses(error)) throw error
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** Each time another text: counts of a short one are remembered, those of a long one are not. */
async function leastOf(parser: Parser, text: string, tries: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries; at += 1) least = Math.min(least, await timeOf(parser, `${text}${at}`))
  return least
}

/** What is wrong with the growth on one shape, or nothing. */
async function growthOn(parser: Parser, shape: (size: number) => string, sizes: readonly number[]) {
  let before: { readonly size: number; readonly ms: number } | undefined
  for (const size of sizes) {
    const text = shape(size)
    let ms = await timeOf(parser, text)
    if (before !== undefined && ms > LEAST_MS && ms > MOST_GROWTH * Math.max(before.ms, TICK_MS)) {
      // Once more, so that a collection of garbage is not taken for growth.
      const small = await leastOf(parser, shape(before.size), TRIES)
      ms = Math.min(ms, await leastOf(parser, text, TRIES))
      const grew = ms > LEAST_MS && ms > MOST_GROWTH * Math.max(small, TICK_MS)
      // A step is no growth: from some size on a text has to be cut. What grows with the square goes on growing.
      const more = grew ? await timeOf(parser, shape(4 * size)) : 0
      if (more > MOST_GROWTH * ms)
        return `${[4 * size, size, before.size]} characters took ${[more, ms, small].map(Math.round)} ms`
    }
    if (ms > MOST_MS) return `${size} characters took ${ms.toFixed(0)} ms`
    before = { size, ms }
  }
  return undefined
}

async function sweep({ parser: name, shapes, sizes }: Task): Promise<void> {
  const parser = PARSERS[name]
  if (parser === undefined) throw new Error(`no parser ${name}`)
  await timeOf(parser, "warm up\n")
  for (const shape of shapes) {
    parentPort?.postMessage({ shape })
    const make = SHAPES.get(shape)
    if (make === undefined) throw new Error(`no shape ${shape}`)
    try {
      const problem = await growthOn(parser, make, sizes)
      if (problem !== undefined) parentPort?.postMessage({ shape, problem })
    } catch (error) {
      parentPort?.postMessage({ shape, problem: `threw ${String(error).slice(0, 300)}` })
    }
  }
  parentPort?.postMessage({ done: true })
}

// The worker's data is what `sweepInWorker` gave it.
if (!isMainThread) await sweep(workerData as Task)
