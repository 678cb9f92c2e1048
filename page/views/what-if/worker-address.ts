// The address of the worker, in the form that the page's policy asks for: only this file makes one.
import address from "./worker/what-if-worker.ts?worker&url"

interface Policies {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

/** Not every browser has trusted types; those that don't take the text. */
function policies(): Policies | undefined {
  // The library of types does not know it yet.
  return Reflect.get(globalThis, "trustedTypes") as Policies | undefined
}

const policy = policies()?.createPolicy("incipit", {
  createScriptURL(url) {
    if (url === address) return url
    throw new TypeError("Only the page's own worker may be started.")
  },
})

export function startWorker(): Worker {
  return new Worker(policy?.createScriptURL(address) ?? address, { type: "module" })
}
