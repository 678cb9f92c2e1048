// What was captured is on the page of `incipit serve`, for operators alone.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openCaptures } from "../../../src/capture/keep/open-captures.ts"
import { flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { openServed } from "../../../src/cli/commands/serve/open-served.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { captureFiles, stateHome } from "../../../src/files/paths.ts"
import { makeToken } from "../../../src/serve/auth/stored-tokens.ts"
import { serveSettings } from "../../../src/serve/http/settings.ts"
import type { CallPage, PageInfo, SessionPage } from "../../../src/serve/page/shown.ts"
import { callsOf, drafts, priceOf } from "../../capture/bill/conversation.ts"

function machine() {
  const folder = mkdtempSync(join(tmpdir(), "incipit-captures-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, workspace, state] = ["home", "workspace", "state"].map((name) => join(folder, name))
  for (const path of [home, workspace, state]) mkdirSync(path ?? "")
  writeFileSync(join(workspace ?? "", "SOUL.md"), "Boats come first.\n")
  writeFileSync(join(workspace ?? "", "incipit.yaml"), "users: { nora: { trust: full } }\n")
  return { home: home ?? "", workspace: workspace ?? "", state: state ?? "" }
}

async function serving({ home, workspace, state }: ReturnType<typeof machine>) {
  const terminal: Terminal = {
    ...{ out: () => {}, exact: () => {}, err: () => {}, drained: async () => {}, columns: 80, colour: false },
    ...{ cwd: workspace, home, env: { HOME: home }, timeZone: "UTC", now: Date.now, stopped: async () => {} },
  }
  const store = await openStore(join(state, "agent.db"))
  const approved = { users: { nora: { trust: "full" as const } } }
  const served = await openServed({
    ...{ flags: flagsFor("serve", { home }), terminal, approved, store, state },
    settings: serveSettings(approved, { port: 0 }, () => ""),
  })
  onTestFinished(async () => {
    await served.close()
    await store.close()
  })
  const token = async (scopes: readonly ("talk" | "read" | "operate")[]) =>
    (
      await makeToken(store.tokens, {
        user: "nora",
        situation: "dm",
        scopes,
        name: "test",
        expiresInMs: undefined,
      })
    ).secret
  return { url: served.url, token }
}

/** As `wrap` does. */
async function capture(home: string) {
  const files = captureFiles(stateHome({ home, env: {} }))
  const captures = openCaptures({ files, variables: {}, now: Date.now, priceOf, metadataOnly: false })
  const calls = callsOf(drafts(3))
  for (const call of calls) await captures.keep({ ...call, via: "wire" })
  await captures.close()
  return calls
}

test("captured calls, of the record that `wrap` and `proxy` keep, are for operators", async () => {
  const place = machine()
  const calls = await capture(place.home)
  const { url, token } = await serving(place)
  const ask = async (path: string, secret: string) => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${secret}` } })
    return { status: response.status, body: await response.json() }
  }
  const operator = await token(["read", "operate"])
  const info = (await ask("/api/page", operator)).body as PageInfo
  expect(info.sources).toEqual([
    { id: "agent", title: "Agent" },
    { id: "captures", title: "Captured calls" },
  ])
  const { sessions } = (await ask("/api/page/sessions?source=captures", operator)).body as SessionPage
  expect(sessions).toMatchObject([{ title: "tides", client: "Claude Code", calls: 3 }])
  const query = new URLSearchParams({ source: "captures", session: sessions[0]?.id ?? "" })
  const page = (await ask(`/api/calls?${query}`, operator)).body as CallPage
  const found = await ask(`/api/calls/${page.calls[2]?.id}?source=captures`, operator)
  expect(found.body).toMatchObject({ isExact: true, request: calls[2]?.request })
  const reader = await token(["read"])
  expect(((await ask("/api/page", reader)).body as PageInfo).sources.map(({ id }) => id)).toEqual(["agent"])
  for (const path of [
    `/api/page/sessions?source=captures`,
    `/api/calls?${query}`,
    `/api/calls/${page.calls[2]?.id}?source=captures`,
  ])
    expect(await ask(path, reader)).toEqual(await ask("/api/page/sessions?source=report", reader))
})

test("there is no such source until something was captured, which may be while the server runs", async () => {
  const place = machine()
  const { url, token } = await serving(place)
  const headers = { authorization: `Bearer ${await token(["read", "operate"])}` }
  const sources = async () => {
    const response = await fetch(`${url}/api/page`, { headers })
    return ((await response.json()) as PageInfo).sources.map(({ id }) => id)
  }
  expect(await sources()).toEqual(["agent"])
  await capture(place.home)
  expect(await sources()).toEqual(["agent", "captures"])
})
