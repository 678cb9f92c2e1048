// A store whose calls are watched: something is done around each of them, and the call itself is passed on.
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"

/** `around` gets the call as `part.method` and a function that makes it. */
export function watched(
  store: AgentStore,
  around: (call: string, make: () => Promise<unknown>) => Promise<unknown>,
): AgentStore {
  const watch = <T extends object>(part: T, prefix: string): T =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        const call = `${prefix}${String(name)}`
        if (typeof value === "object" && value !== null) return watch(value, `${call}.`)
        // Listening is no call that anybody waits for.
        if (typeof value !== "function" || call === "wakeUps.listen") return value
        return (...given: readonly unknown[]) => around(call, async () => Reflect.apply(value, target, given))
      },
    })
  return watch(store, "")
}
