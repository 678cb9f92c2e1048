// The plain page that accepts the one-time code. No script; text of a request is never markup.
import { createHash } from "node:crypto"

/** The colours of the page itself, whose style sheet is only for those who have signed in. */
const STYLE =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:15vh auto;padding:0 1rem;background:light-dark(#fbfbfa,#15171b);color:light-dark(#191c21,#e7e9ec)}h1{font-size:1.5rem}input,button{font:inherit;min-height:2.75rem;padding:.4rem .8rem;border:1px solid light-dark(#878f9b,#6c7480);border-radius:.375rem;background:light-dark(#fff,#1c1f25);color:inherit}input{width:100%;box-sizing:border-box}button{border-color:transparent;background:light-dark(#2456c8,#82aaff);color:light-dark(#fff,#0d1524);cursor:pointer}p[role=alert]{color:light-dark(#b3261e,#ff8f85)}code{font-family:ui-monospace,monospace;font-size:.9em;white-space:nowrap}"
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64")

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // Not `no-referrer`: browsers then send the origin of a form as null.
  "referrer-policy": "same-origin",
}

export interface LoginForm {
  /** The printed link has it filled in, so that opening the link alone does not use it up. */
  readonly code?: string | undefined
  /** Where to go then. */
  readonly next?: string | undefined
  /** What was wrong with the code before. */
  readonly problem?: string | undefined
}

const ANOTHER =
  "<p>For a new code, run <code>incipit serve --link</code>, or start <code>incipit inspect</code> again.</p>"

/** Asks for the code. */
export function loginPage({ code = "", next = "/", problem }: LoginForm): Response {
  const said = problem === undefined ? "" : `<p role="alert">${escaped(problem)}</p>`
  const form = `<form method="post" action="/login"><p><label>One-time code<br><input name="code" value="${escaped(code)}" autocomplete="off" required autofocus></label></p><input type="hidden" name="next" value="${escaped(next)}"><p><button>Sign in</button></p></form>${ANOTHER}`
  return page(
    `<h1>Incipit</h1>${said}<p>Sign in with the one-time code that <code>incipit</code> printed.</p>${form}`,
    {
      status: problem === undefined ? 200 : 403,
    },
  )
}

function page(body: string, init: { readonly status: number }): Response {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Incipit</title><style>${STYLE}</style>`
  return new Response(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>\n`, {
    ...init,
    headers: HEADERS,
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
