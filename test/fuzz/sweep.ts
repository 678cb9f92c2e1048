// Runs a parser over hostile shapes in a worker with a limit of memory and a watchdog: a shape that hangs or takes all
// memory ends only the worker, and the next one goes on behind it.
import { Worker } from "node:worker_threads"
import type { Task } from "./growth.ts"

/** For one shape at all sizes: far more than anything takes, to catch what never ends. */
const WATCHDOG_MS = 600_000
const MEMORY_MB = 1_024

interface Told {
  readonly shape?: string
  readonly problem?: string
  readonly done?: true
}

/** What is wrong, a line for each shape. */
export async function sweepInWorker(task: Task): Promise<readonly string[]> {
  const problems: string[] = []
  let left = task.shapes
  while (left.length > 0) {
    const { at, end } = await once({ ...task, shapes: left }, problems)
    if (end === undefined) return problems
    problems.push(`${task.parser}, ${at}: ${end}`)
    left = left.slice(left.indexOf(at ?? "") + 1)
    if (at === undefined) return problems
  }
  return problems
}

async function once(task: Task, problems: string[]) {
  const worker = new Worker(new URL("./growth.ts", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  let at: string | undefined
  let watchdog: NodeJS.Timeout | undefined
  const watch = () => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => resolve("never ended"), WATCHDOG_MS)
  }
  watch()
  worker.on("message", ({ shape, problem, done }: Told) => {
    watch()
    at = shape
    if (problem !== undefined) problems.push(`${task.parser}, ${shape}: ${problem}`)
    if (done) resolve(undefined)
  })
  worker.on("error", (error) => resolve(`ended with ${String(error).slice(0, 300)}`))
  const end = await promise
  clearTimeout(watchdog)
  await worker.terminate()
  return { at, end }
}
