// Requests of other web pages in the browser of somebody who is signed in, of names that came to mean this machine, and
// with names that mean something to JavaScript.
import { request } from "node:http"
import { expect, test } from "vitest"
import { paramsIn } from "../../../src/serve/api/route.ts"
import { API_ROUTES } from "../../../src/serve/api/routes.ts"
import { openWhatIfWorld, type WhatIfWorld } from "../../page/what-if-world.ts"

async function signIn({ url, code }: WhatIfWorld, next?: string) {
  const body = new URLSearchParams({ code, ...(next !== undefined && { next }) })
  const answered = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: url },
    body,
  })
  const [cookie = ""] = (answered.headers.get("set-cookie") ?? "").split(";")
  return {
    cookie,
    location: answered.headers.get("location"),
    attributes: answered.headers.get("set-cookie"),
  }
}

/** What a browser sends for a page of another origin, of another port, of a file, and of a sandbox. */
const PAGES: readonly Readonly<Record<string, string>>[] = [
  { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  { origin: "http://127.0.0.1:9", "sec-fetch-site": "same-site" },
  { origin: "http://localhost:9" },
  { origin: "null", "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  // An old browser, or none of the headers that say whose page it is.
  {},
]

test("no other page can do anything with the cookie of somebody who is signed in", async () => {
  const world = await openWhatIfWorld()
  const { cookie, attributes } = await signIn(world)
  expect(attributes).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  const changing = API_ROUTES.filter(({ method }) => method !== "GET")
  expect(changing.length).toBeGreaterThan(10)
  const targets = [
    ...changing.map(({ method, path }) => ({
      method,
      path: paramsIn(path, path) === undefined ? path : path.replaceAll(/\{[^}]+\}/g, "x"),
    })),
    { method: "POST", path: "/logout" },
  ]
  for (const { method, path } of targets)
    for (const headers of PAGES)
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
        const given = { ...headers, cookie, "content-type": type }
        const { status } = await fetch(`${world.url}${path}`, { method, headers: given, body: "{}" })
        expect([method, path, headers, status]).toEqual([method, path, headers, 403])
      }
  const still = await fetch(`${world.url}/api/page`, { headers: { cookie } })
  expect(still.status).toBe(200)
})

test("no other page can read anything with the cookie, and the page cannot be framed", async () => {
  const world = await openWhatIfWorld()
  const { cookie } = await signIn(world)
  const index = await fetch(`${world.url}/`, { headers: { cookie } })
  const script = /src="(\/page\/[^"]+\.js)"/.exec(await index.text())?.[1] ?? ""
  for (const path of ["/api/page", "/api/events", "/api/page/sessions", "/api/approvals", "/metrics"])
    for (const headers of PAGES.slice(0, -1).filter((page) => page["sec-fetch-site"] !== undefined)) {
      const response = await fetch(`${world.url}${path}`, { headers: { ...headers, cookie } })
      expect([path, headers, response.status]).toEqual([path, headers, 403])
      expect(response.headers.get("access-control-allow-origin")).toBe(null)
    }
  for (const path of ["/", script]) {
    const foreign = await fetch(`${world.url}${path}`, {
      headers: { cookie, "sec-fetch-site": "cross-site" },
      redirect: "manual",
    })
    expect([path, foreign.status]).toEqual([path, path === "/" ? 303 : 404])
  }
  for (const path of ["/", script, "/login", "/api/page", "/api/page/sessions", "/metrics", "/api/none"]) {
    const { headers } = await fetch(`${world.url}${path}`, { headers: { cookie } })
    expect([headers.get("cross-origin-resource-policy"), headers.get("x-content-type-options")]).toEqual([
      "same-origin",
      "nosniff",
    ])
    if (!["/", script, "/login"].includes(path)) continue
    expect([path, headers.get("content-security-policy")]).toEqual([
      path,
      expect.stringMatching(/default-src 'none'[\s\S]*frame-ancestors 'none'/),
    ])
    if (path === "/login") continue
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:"],
      ...["connect-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'self'"],
      ...["frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types incipit"],
    ])
  }
})

/** `fetch` does not let one set the host. */
function statusFor(url: string, host: string, path: string, cookie: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    request({ hostname, port, path, headers: { host, cookie } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on("error", reject)
      .end()
  })
}

test("a name that came to mean this machine reaches nothing", async () => {
  const world = await openWhatIfWorld()
  const { cookie } = await signIn(world)
  for (const host of [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example:80",
    "evil.example:127",
    "[::2]",
  ])
    for (const path of ["/", "/login", "/api/page", "/page/x.js", "/healthz"])
      expect([host, path, await statusFor(world.url, host, path, cookie)]).toEqual([host, path, 421])
})

test("a sign-in leads to the page and nowhere else", async () => {
  const elsewhere = [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/?x\r\nset-cookie: a=b",
    "/?<script>",
    "/login?next=/",
    "/logout",
    "/?a b",
    "/?\u202e",
    "?x",
    "/?x#y",
    "/?x\n",
    "/?\\evil",
  ]
  const world = await openWhatIfWorld()
  for (const next of elsewhere) {
    const shown = await fetch(
      `${world.url}/login?${new URLSearchParams({ next, code: `"><script>${next}` })}`,
    )
    const text = await shown.text()
    expect([next, /name="next" value="([^"]*)"/.exec(text)?.[1]]).toEqual([next, "/"])
    expect(text).not.toContain("<script")
    const wrong = new URLSearchParams({ code: "wrong", next })
    const refused = await fetch(`${world.url}/login`, {
      method: "POST",
      headers: { origin: world.url },
      body: wrong,
    })
    expect([refused.status, (await refused.text()).includes(next)]).toEqual([403, false])
  }
  expect((await signIn(world, "//evil.example")).location).toBe("/")
})

const ODD = [
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "x".repeat(4_000),
  "\u0000",
  "\u202e",
  "%",
  "a.b.c",
  ".1",
  "x.01",
  "x.-1",
  "x.1e9",
  "' OR 1=1 --",
]

test("names that mean something elsewhere are only names", async () => {
  const world = await openWhatIfWorld()
  const { cookie } = await signIn(world)
  for (const name of ODD) {
    const one = encodeURIComponent(name)
    const paths = [
      `/api/calls?session=${one}`,
      `/api/calls?session=x&before=${one}`,
      `/api/calls/${one}`,
      `/api/page/sessions?after=${one}`,
      `/api/page/sessions?source=${one}`,
      `/api/carried?path=${one}&from=1`,
      `/api/carried?path=x&from=1&session=${one}`,
    ]
    for (const path of paths) {
      const response = await fetch(`${world.url}${path}`, { headers: { cookie } })
      expect([path.slice(0, 60), response.status < 500]).toEqual([path.slice(0, 60), true])
      expect(await response.text()).not.toMatch(/node:|\.ts:|sqlite/i)
    }
  }
  for (const from of ["0", "-1", "1e9", "NaN", "99999999999999999999", ""])
    expect(
      (await fetch(`${world.url}/api/carried?path=x&from=${from}`, { headers: { cookie } })).status,
    ).toBe(400)
})

test("sections and files of What If that are named like parts of JavaScript change nothing", async () => {
  const world = await openWhatIfWorld()
  const before = world.read("incipit.yaml")
  for (const [kind, name] of [
    ["files", "__proto__"],
    ["files", "constructor"],
    ["sections", "__proto__"],
    ["sections", "constructor"],
    ["sections", "toString"],
    ["sections", "a: b\nusers"],
  ] as const) {
    const value = kind === "files" ? `"x"` : `{"text":"x"}`
    const body = `{"changes":{"${kind}":{${JSON.stringify(name)}:${value}}}}`
    const response = await fetch(`${world.url}/api/what-if/patch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await world.token(undefined, "dm", ["operate"])}`,
        "content-type": "application/json",
      },
      body,
    })
    const text = await response.text()
    expect([kind, name, response.status < 500], text).toEqual([kind, name, true])
    // Whatever is asked for, it stays below prompt.sections.
    if (response.ok) expect(text).not.toMatch(/^\+users/m)
  }
  expect(({} as { text?: string }).text).toBe(undefined)
  expect(world.read("incipit.yaml")).toBe(before)
})

test("a text without a line in common with the file is compared at once, however long it is", async () => {
  const world = await openWhatIfWorld()
  const text = Array.from({ length: 60_000 }, (_, at) => `Line ${at}.\n`).join("")
  const { patch } = await world.patch({ files: { "SOUL.md": text } })
  expect(patch.split("\n").length).toBeGreaterThan(60_000)
  world.gitApply(patch)
  expect(world.read("SOUL.md")).toBe(text)
})
