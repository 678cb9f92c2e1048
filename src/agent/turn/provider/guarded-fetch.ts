// `fetch` for addresses that receive keys and texts: `localhost` is this machine without asking a name server, and
// redirects are not followed, since headers other than `Authorization` and the conversation would be sent along.
import { withoutLookup } from "../../../base/loopback.ts"
import { giveWay } from "../../inbox/give-way.ts"

export function guardedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined
    const address = request === undefined ? String(input) : request.url
    const ask = (url: string) =>
      fetch(request === undefined ? url : new Request(url, request), { ...init, redirect: "manual" })
    const answer = await firstThatListens(withoutLookup(address), ask)
    // Many answers may come at once, and reading one takes several milliseconds.
    await giveWay()
    return REDIRECTS.has(answer.status) ? refused(address, answer) : answer
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

async function firstThatListens(
  addresses: readonly string[],
  ask: (address: string) => Promise<Response>,
): Promise<Response> {
  const [first = "", ...others] = addresses
  try {
    return await ask(first)
  } catch (error) {
    if (others.length === 0 || !isRefusedConnection(error)) throw error
    return firstThatListens(others, ask)
  }
}

function isRefusedConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED"
}

/** Returned, not thrown: a retry would not help. */
async function refused(address: string, answer: Response): Promise<Response> {
  await answer.body?.cancel()
  const to = answer.headers.get("location") ?? ""
  const target = URL.canParse(to, address) ? new URL(to, address).origin : "another address"
  const message = `${new URL(address).origin} redirects to ${target}. Redirects are not followed, because the key and the conversation would be sent there too. If the service has moved, configure its new address.`
  return Response.json({ error: { message, type: "redirect_refused" } }, { status: 421 })
}
