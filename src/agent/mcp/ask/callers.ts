// Whose question a server asks. Several people may use one server at once, and a question must reach the person whose
// call it is about, and nobody else.
import { AsyncLocalStorage } from "node:async_hooks"
import type { ServerAnswer, ServerQuestion } from "../../../tools/server-question.ts"

/** The call that a question may be about. */
export interface Caller {
  /** Calls of one session have one person to ask. */
  readonly session: string
  ask(question: ServerQuestion): Promise<ServerAnswer>
}

export interface Callers {
  /** The questions that come during `work` are about this call. */
  during<T>(caller: Caller | undefined, work: () => Promise<T>): Promise<T>
  /**
   * The call that a question is about. Over HTTP, it comes with the answer to that call. A program mixes everything in
   * one stream, so it is certain only while one session uses it. Returns undefined in doubt.
   */
  current(): Caller | undefined
}

export function openCallers(): Callers {
  const open = new Set<Caller>()
  const storage = new AsyncLocalStorage<Caller>()
  return {
    async during(caller, work) {
      if (caller === undefined) return work()
      open.add(caller)
      try {
        return await storage.run(caller, work)
      } finally {
        open.delete(caller)
      }
    },
    current() {
      const own = storage.getStore()
      if (own !== undefined) return open.has(own) ? own : undefined
      const [first, ...others] = open
      return others.every(({ session }) => session === first?.session) ? first : undefined
    },
  }
}
