// A parser in a worker of its own: each text has a limit of time and the worker one of memory. What never ends, takes all
// memory or throws anything but our own errors is a problem, told as a sentence.
import { Worker } from "node:worker_threads"

/** A hundred times what any text here takes: it is there to catch what never ends, not to measure. */
const LIMIT_MS = 60_000
const MEMORY_MB = 512

export interface Guarded {
  /** What is wrong; nothing if the parser read the text or refused it. */
  run(parser: string, text: string): Promise<string | undefined>
  close(): Promise<void>
}

export function guarded(): Guarded {
  let worker: Worker | undefined
  const start = () =>
    new Worker(new URL("./fuzz-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
  const close = async () => {
    await worker?.terminate()
    worker = undefined
  }
  return {
    async run(parser, text) {
      worker ??= start()
      const { problem, isLost } = await answerOf(worker, { parser, text })
      if (isLost) await close()
      return problem
    },
    close,
  }
}

interface Answer {
  readonly problem: string | undefined
  readonly isLost: boolean
}

function answerOf(worker: Worker, task: object): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const limit = setTimeout(() => end("takes too long", true), LIMIT_MS)
  const said = ({ problem }: { readonly problem?: string }) => end(problem, false)
  const failed = (error: unknown) => end(String(error), true)
  const end = (problem: string | undefined, isLost: boolean) => {
    clearTimeout(limit)
    worker.off("message", said)
    worker.off("error", failed)
    resolve({ problem, isLost })
  }
  worker.on("message", said)
  worker.on("error", failed)
  worker.postMessage(task)
  return promise
}
