// Signing in and out: the one-time code becomes a token in a cookie that scripts cannot read. Also the page itself, which
// is only for those who have signed in.
import { cookieHeader } from "../auth/credentials.ts"
import { ASSETS } from "../page/page-files.ts"
import { readBody } from "./body.ts"
import { identify, note } from "./guard.ts"
import { strangerShares } from "./limits.ts"
import { loginPage } from "./login-page.ts"
import { NOT_FOUND, refusalResponse, TOO_MANY_OPEN, tooOften } from "./refuse.ts"
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
  const form = new URLSearchParams(new TextDecoder().decode(body.bytes))
  const next = placeIn(form.get("next"))
  const session = await sessions.begin((form.get("code") ?? "").trim(), call.env.incoming.socket)
  if (session === undefined) {
    note(call, { refused: "bad-code" })
    const wait = failures.take(client.address)
    return wait === undefined
      ? loginPage({ next, problem: BAD_CODE })
      : refusalResponse(tooOften(wait), undefined)
  }
  const { secret, maxAgeSeconds } = session
  const cookie = cookieHeader(authentication.cookie, secret, { maxAgeSeconds, isSecure: client.isSecure })
  return redirect(next, cookie)
}

const BAD_CODE = "This code isn't valid. It works once and for an hour."

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

/** The form; the printed link brings the code along, and the page the place to return to. */
export function showLogin(call: Call): Response {
  return loginPage({ code: call.req.query("code"), next: placeIn(call.req.query("next")) })
}

/** The page; leads to the form if nobody is signed in, and from there back to this place. */
export async function showPage(call: Call, services: AppServices): Promise<Response> {
  note(call, { route: "/" })
  const { search } = new URL(call.req.url)
  const form = search === "" ? "/login" : `/login?${new URLSearchParams({ next: `/${search}` })}`
  return (await isSignedIn(call, services)) ? services.page().index() : redirect(form)
}

/** A script or style of the page. */
export async function showAsset(call: Call, services: AppServices): Promise<Response> {
  note(call, { route: ASSETS })
  if (!(await isSignedIn(call, services))) return refusalResponse(NOT_FOUND, undefined)
  const found = services.page().asset(call.get("path"), call.req.header("accept-encoding"))
  return found ?? refusalResponse(NOT_FOUND, undefined)
}

async function isSignedIn(call: Call, services: AppServices): Promise<boolean> {
  if (!call.req.header("cookie")?.includes(`${services.authentication.cookie}=`)) return false
  return "caller" in (await identify(call, services))
}

/** Only places of the page: an address elsewhere would lead somebody who has just signed in to a stranger's form. */
function placeIn(text: string | null | undefined): string {
  return text != null && /^\/\?[\w.~%&=+*:-]*$/.test(text) ? text : "/"
}

function redirect(location: string, cookie?: string): Response {
  const headers = new Headers({ location })
  if (cookie !== undefined) headers.set("set-cookie", cookie)
  return new Response(null, { status: 303, headers })
}
