// What captured calls cost is what the bill over the same files says; and their sessions are simulated as far as their
// requests are known.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { makeBill } from "../../../src/capture/bill/make-bill.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { READERS_OF_NAMED } from "../../../src/capture/clients/readers.ts"
import type { CostsBy } from "../../../src/serve/page/shown.ts"
import { callsOf, drafts, FIRST, MINUTE, priceOf } from "../../capture/bill/conversation.ts"
import { addCalls, OPERATOR, sourceOver, writeCalls } from "./captured-files.ts"

const project = "/work/tides"

function sourceOf(calls: readonly CapturedCall[]) {
  const path = mkdtempSync(join(tmpdir(), "incipit-captured-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const file = writeCalls(path, "calls.jsonl", calls)
  const { source, index } = sourceOver(path)
  const bill = () =>
    makeBill({
      ...{ machine: { home: path, variables: {} }, readers: READERS_OF_NAMED, folders: [path] },
      ...{ timeZone: "UTC", priceOf },
    })
  const costs = async (by: CostsBy, session?: string) => {
    const found = await source.costs(OPERATOR, { by, session, timeZone: "UTC" })
    if (found === undefined) throw new Error("there are no costs")
    return found
  }
  return { source, index, file, bill, costs }
}

const paused = () =>
  callsOf(
    drafts(6, (draft, at) => ({ ...draft, at: draft.at + (at >= 3 ? 41 * MINUTE : 0) })),
    { project },
  )
const bare = () =>
  callsOf(
    drafts(2, (draft) => draft, { ...FIRST, at: FIRST.at + 60 * 24 * MINUTE }),
    { session: "s2", coverage: "none", project },
  )

test("owners, days, sessions, models and clients cost what the bill says", async () => {
  const { source, bill, costs } = sourceOf([...paused(), ...bare()])
  const whole = await bill()
  const owners = await costs("owner")
  expect(owners.total.costUsd).toBeCloseTo(whole.costUsd ?? 0, 10)
  expect(owners.owners.map(({ carriedUsd }) => carriedUsd)).toEqual(
    whole.owners.map(({ carriedUsd }) => carriedUsd),
  )
  expect(owners.notes).toEqual(["2 calls estimated: what was sent is not wholly known."])
  const rows = {
    day: whole.byDay,
    session: whole.bySession,
    model: whole.byModel,
    client: whole.byClient,
  }
  for (const by of ["day", "session", "model", "client"] as const) {
    const found = await costs(by)
    expect(
      found.rows.map(({ calls, costUsd, usage }) => ({ calls, costUsd, tokens: usage })),
      by,
    ).toEqual(rows[by].map(({ calls, costUsd, tokens }) => ({ calls, costUsd, tokens })))
  }
  const { sessions } = await source.sessions(OPERATOR, { limit: 10 })
  const keys = (await costs("session")).rows.map(({ key }) => key)
  expect(keys.toSorted()).toEqual(sessions.map(({ id }) => id).toSorted())
  expect((await costs("owner", keys[0])).total.calls).toBe(6)
})

test("new calls are in the next sum", async () => {
  const { index, file, costs } = sourceOf(paused())
  expect((await costs("owner")).total.calls).toBe(6)
  addCalls(file, bare())
  await index.refresh()
  expect((await costs("owner")).total.calls).toBe(8)
})

test("a session with whole requests is simulated; one without any says why it cannot be", async () => {
  const { source, costs } = sourceOf([...paused(), ...bare()])
  const [known = "", unknown = ""] = (await costs("session")).rows.map(({ key }) => key)
  const simulated = await source.simulated(OPERATOR, known)
  expect(simulated).toMatchObject({ calls: 6, why: null, notes: [] })
  const [sent, longer] = simulated?.ways ?? []
  expect(longer?.title).toBe("Prompt cached for 1h")
  // The prompt outlives the pause.
  expect(longer?.usage.read).toBeGreaterThan(sent?.usage.read ?? Number.POSITIVE_INFINITY)
  expect(await source.simulated(OPERATOR, unknown)).toEqual({
    ...{ session: unknown, calls: 0, ways: [], recordedUsd: null, notes: [] },
    why: "Only a part of what these calls sent is known, so nothing can be simulated.",
  })
})

test("nobody but an operator learns anything", async () => {
  const { source, costs } = sourceOf(paused())
  const [known = ""] = (await costs("session")).rows.map(({ key }) => key)
  const reader = { ...OPERATOR, scopes: ["talk", "read"] } as const
  expect(await source.simulated(reader, known)).toBeUndefined()
  expect(await source.costs(reader, { by: "owner", timeZone: "UTC" })).toMatchObject({
    ...{ owners: [], rows: [], isOpen: false, total: { calls: 0, costUsd: null } },
  })
})
