// Why no provider answers at an address, in words that say what to do about it. Read by who may know why.
import { providerOf } from "../../models/provider-of.ts"

/** Undefined if that is not the reason. `error`: as the SDK throws it. */
export function whyUnreachable(error: unknown, model: string): string | undefined {
  const code = codeIn(error)
  const origin = originIn(error)
  if (origin === undefined) return undefined
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `the host of ${origin} was not found; check the address and the network`
  if (code !== "ECONNREFUSED") return undefined
  return providerOf(model) === "ollama"
    ? `Ollama is not running at ${origin}; start it with \`ollama serve\`, or set OLLAMA_HOST`
    : `nothing listens at ${origin}; check the address, and that the server runs`
}

/** The SDK wraps the error of `fetch`, which wraps that of the system. */
function codeIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = "code" in error ? error.code : undefined
  if (typeof code === "string") return code
  // Several addresses of one host were tried.
  if (error instanceof AggregateError && error.errors.length > 0) return codeIn(error.errors[0])
  return codeIn(error.cause)
}

function originIn(error: unknown): string | undefined {
  const url = typeof error === "object" && error !== null && "url" in error ? String(error.url) : ""
  return URL.canParse(url) ? new URL(url).origin : undefined
}
