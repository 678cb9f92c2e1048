// The browser's way back: a page on this machine that takes the answer of one sign-in. An answer with another state is
// none: any website can send a browser here.
import { timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { errorCode } from "../../../base/system-error.ts"
import { SignInFailed } from "./failures.ts"

export interface BrowserAnswer {
  /** Where the browser has to come back to. */
  readonly redirect: string
  /** The parameters of the answer with that state. Rejects with the signal's reason. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>
  close(): Promise<void>
}

const HOST = "127.0.0.1"
const PATH = "/callback"

/** `port`: 0 for any. Returns undefined if another program uses it. */
export async function awaitBrowser(port: number): Promise<BrowserAnswer | undefined> {
  let expected: string | undefined
  const { promise: answered, resolve } = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const found = answerIn(request, expected)
    say(response, found === undefined ? "none" : found.has("code") ? "done" : "refused")
    if (found !== undefined) resolve(found)
  })
  try {
    await new Promise<void>((listening, failed) => {
      server.once("error", failed)
      server.listen(port, HOST, listening)
    })
  } catch (error) {
    if (errorCode(error) === "EADDRINUSE") return undefined
    throw new SignInFailed(`port ${port} of this machine cannot be used: ${errorCode(error)}`)
  }
  const address = server.address()
  const used = typeof address === "object" && address !== null ? address.port : port
  return {
    redirect: `http://${HOST}:${used}${PATH}`,
    async wait(state, signal) {
      expected = state
      const { promise: over, reject } = Promise.withResolvers<never>()
      const stop = () => reject(signal.reason)
      if (signal.aborted) stop()
      signal.addEventListener("abort", stop, { once: true })
      try {
        return await Promise.race([answered, over])
      } finally {
        signal.removeEventListener("abort", stop)
      }
    },
    async close() {
      const closed = new Promise((done) => server.close(done))
      server.closeIdleConnections()
      const rest = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      await closed
      clearTimeout(rest)
    },
  }
}

/** For the page that says that it is over. */
const GRACE_MS = 500

function answerIn({ method, url = "" }: IncomingMessage, expected: string | undefined) {
  if (method !== "GET" || !URL.canParse(url, `http://${HOST}`)) return undefined
  const { pathname, searchParams } = new URL(url, `http://${HOST}`)
  const isOurs = pathname === PATH && isSame(searchParams.get("state") ?? "", expected)
  return isOurs && (searchParams.has("code") || searchParams.has("error")) ? searchParams : undefined
}

function isSame(given: string, expected: string | undefined): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected ?? "")]
  return expected !== undefined && one.length === other.length && timingSafeEqual(one, other)
}

const PAGES = {
  done: [200, "You can close this page and go back to the terminal."],
  refused: [200, "The sign-in was not completed. The terminal says why."],
  none: [404, "There is nothing here."],
} as const

function say(response: ServerResponse, page: keyof typeof PAGES): void {
  const [status, text] = PAGES[page]
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  })
  response.end(`<!doctype html><html lang="en"><title>Incipit</title><p>${text}</p></html>\n`)
}
