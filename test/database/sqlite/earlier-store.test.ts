// A store that Incipit 0.1.0 wrote: it opens, everything in it is read, and conversations go on.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { bringState } from "../../agent/adopt/adopted-state.ts"
import { reply, said } from "../contract/agent-store-contract.ts"

const SESSION = "01kv519290k5akccq0p9"

test("a store of 0.1.0 opens, is read, and continues", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-earlier-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  bringState(folder)
  const store = await openStore(join(folder, ".incipit", "agent.db"))
  onTestFinished(() => store.close())
  const [session] = await store.sessions.list("main")
  expect(session).toMatchObject({ id: SESSION, turns: 3, title: "Hello there, who are you?" })
  expect((await store.transcripts.read(SESSION)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect((await store.tasks.list({ agent: "main", who: "owner", trust: "full" }))[0]?.title).toBe(
    "Oil the hinge",
  )
  expect((await store.schedule.added("main")).map(({ run }) => run)).toEqual(["What is on today?"])
  expect(await store.inbox.next(SESSION)).toMatchObject({ turn: "turn-waits", order: 3 })
  // Its holder is gone: another one takes over.
  const held = await store.sessions.claim(SESSION, { owner: "a", leaseMs: 1_000 })
  if (held.kind !== "held") throw new Error("it was left held")
  const claimed = await store.sessions.claim(SESSION, { owner: "a", leaseMs: 1_000, deadOwners: [held.by] })
  if (claimed.kind !== "claimed") throw new Error("it is not claimed")
  const { lease } = claimed
  await store.inbox.begin(lease, "turn-waits")
  const [added] = await store.transcripts.change(lease, { turn: "turn-waits", append: [said("It is.")] })
  expect(added?.seq).toBe(6)
  await store.inbox.finish(lease, { turn: "turn-waits" }, reply("turn-waits", { session: SESSION }))
  const next = { id: "m", turn: "t", session: SESSION, message: { text: "And now?" }, takenBy: "a" }
  expect(await store.inbox.receive(next)).toMatchObject({ order: 4, state: "waiting" })
})
