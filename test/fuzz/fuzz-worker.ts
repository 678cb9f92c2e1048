// Runs parsers on the texts that it is sent, one after the other, in a worker with a limit of memory.
import { parentPort } from "node:worker_threads"
import { PARSERS, refuses } from "./parsers.ts"

parentPort?.on("message", async ({ parser, text }: { readonly parser: string; readonly text: string }) => {
  const before = Object.getOwnPropertyNames(Object.prototype).length
  let problem: string | undefined
  try {
    await PARSERS[parser]?.(text)
  } catch (error) {
    if (!refuses(error)) problem = error instanceof Error ? `${error.stack}` : String(error)
  }
  if (Object.getOwnPropertyNames(Object.prototype).length !== before) problem = "changed every object"
  parentPort?.postMessage({ problem })
})
