// Signing in and out of the plain page: the one-time code becomes a token in a cookie that scripts cannot read.
import { cookieHeader } from "../auth/credentials.ts"
import { readBody } from "./body.ts"
import { identify, note } from "./guard.ts"
import { strangerShares } from "./limits.ts"
import { loginPage, signedInPage } from "./login-page.ts"
import { refusalResponse, TOO_MANY_OPEN, tooOften } from "./refuse.ts"
import type { AppServices, Call } from "./services.ts"

/** A form with one short field. */
const FORM_LIMITS = { bodyBytes: 4_096, bodyMs: 10_000 }

/** Uses the code up, and gives the browser a token. A right code is not held up by wrong ones of the same address. */
export async function logIn(call: Call, services: AppServices): Promise<Response> {
  const { sessions, authentication, failures } = services
  const client = call.get("client")
  note(call, { route: "/login" })
  if (!call.get("held").open(strangerShares(client.address, services.limits)))
    return refusalResponse(TOO_MANY_OPEN, undefined)
  const body = await readBody(call.req.raw, FORM_LIMITS, call.get("held"))
  if ("refusal" in body) return refusalResponse(body.refusal, undefined)
  const given = new URLSearchParams(new TextDecoder().decode(body.bytes)).get("code") ?? ""
  const session = await sessions.begin(given.trim())
  if (session === undefined) {
    note(call, { refused: "bad-code" })
    const wait = failures.take(client.address)
    return wait === undefined ? loginPage("", BAD_CODE) : refusalResponse(tooOften(wait), undefined)
  }
  const { secret, maxAgeSeconds } = session
  const cookie = cookieHeader(authentication.cookie, secret, { maxAgeSeconds, isSecure: client.isSecure })
  return redirect("/", cookie)
}

const BAD_CODE =
  "This code isn't valid. It works once and for an hour; run incipit serve --link for another one."

/** Revokes the browser's token. */
export async function logOut(call: Call, services: AppServices): Promise<Response> {
  const { sessions, authentication } = services
  note(call, { route: "/logout" })
  const found = await identify(call, services)
  if ("refusal" in found) return refusalResponse(found.refusal, undefined)
  await sessions.end(found.caller.token)
  const { isSecure } = call.get("client")
  return redirect("/login", cookieHeader(authentication.cookie, "", { maxAgeSeconds: 0, isSecure }))
}

/** The start page; leads to the form if nobody is signed in. */
export async function showStart(call: Call, services: AppServices): Promise<Response> {
  note(call, { route: "/" })
  if (!call.req.header("cookie")?.includes(`${services.authentication.cookie}=`)) return redirect("/login")
  const found = await identify(call, services)
  return "refusal" in found ? redirect("/login") : signedInPage(services.agents.names)
}

function redirect(location: string, cookie?: string): Response {
  const headers = new Headers({ location })
  if (cookie !== undefined) headers.set("set-cookie", cookie)
  return new Response(null, { status: 303, headers })
}
