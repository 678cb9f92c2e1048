// Inputs of prompts by whom they are for: each is loaded once, and given to the worker at once, so that switching to it
// takes no more than compiling.
import type { WhatIfAsked, WhatIfInput } from "../../../src/serve/page/what-if/what-if-shown.ts"
import { ask } from "../../data/ask.ts"
import type { Checked, PageCompiler } from "./compiler.ts"

export interface LoadedInput {
  readonly key: string
  readonly input: WhatIfInput
  readonly checked: Checked
}

export interface Inputs {
  load(asked: WhatIfAsked): Promise<LoadedInput>
  /** The workspace may have changed. */
  clear(): void
  close(): void
}

/** Each message makes another one. */
const MOST_KEPT = 40

export function createInputs(compiler: PageCompiler): Inputs {
  const abort = new AbortController()
  const kept = new Map<string, Promise<LoadedInput>>()
  let version = 0
  const read = async (asked: WhatIfAsked, key: string): Promise<LoadedInput> => {
    const input = await ask<WhatIfInput>("/api/what-if", { body: asked, signal: abort.signal })
    return { key, input, checked: await compiler.take(key, input) }
  }
  return {
    load(asked) {
      const key = `${version} ${keyOf(asked)}`
      const loading = kept.get(key) ?? read(asked, key)
      // The last used is the last to go.
      kept.delete(key)
      kept.set(key, loading)
      // A failure is not kept, so that it can be tried again.
      loading.catch(() => kept.get(key) === loading && kept.delete(key))
      for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - MOST_KEPT))) {
        kept.delete(old)
        compiler.forget(old)
      }
      return loading
    },
    clear() {
      for (const key of kept.keys()) compiler.forget(key)
      kept.clear()
      version += 1
    },
    close: () => abort.abort(),
  }
}

/** Null is somebody unknown, and absent is the caller. */
function keyOf({ agent, user, situation, mode, message }: WhatIfAsked): string {
  return JSON.stringify([agent, user === undefined ? [] : [user], situation, mode, message])
}
