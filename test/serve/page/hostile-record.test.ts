// What is in a record may be anything: secrets that were taken out of it, texts that are damaged, words that look like
// ours. The page's routes answer all the same, and show nobody more than before.
import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { call, say } from "../../agent/world/agent-world.ts"
import { openPageWorld } from "./page-world.ts"

/** Nobody's. */
const SECRET = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"}`

test("a value that was stored without a secret is named to those who see it", async () => {
  const { operator, as } = await openPageWorld({
    scripts: [call(["read", { path: `${SECRET}.md` }]), say("There is no such file.")],
  })
  const ada = await as("ada")
  const { turn } = await ada.say(`my token is ${SECRET}`)
  const whole = await operator.get(`/api/calls/${turn}.2`)
  const hers = await ada.get(`/api/calls/${turn}.2`)
  expect(JSON.stringify([whole, hers])).not.toContain(SECRET)
  expect(whole.isExact).toBe(false)
  expect(whole.redacted.length).toBeGreaterThan(hers.redacted.length)
  // Her own words, but not what the tool was called with.
  expect(hers.redacted).toEqual(["/messages/0/content/0/text"])
  expect(whole.redacted).toEqual(expect.arrayContaining(hers.redacted))
  expect((await ada.get(`/api/turns/${turn}`)).redacted).toEqual(hers.redacted)
  expect((await operator.get(`/api/turns/${turn}`)).redacted).toEqual(whole.redacted)
})

test("texts of a record that are damaged or gone leave gaps, and nothing is made up", async () => {
  const { operator, record } = await openPageWorld({
    files: { "SOUL.md": "You keep the lighthouse.\n" },
    scripts: [say("Aye.")],
  })
  const first = await operator.say("is the lamp burning?")
  const second = await operator.say("and now?", first.session)
  const database = new DatabaseSync(record)
  const { frame, plan } =
    database.prepare("SELECT frame, plan FROM receipts WHERE turn_id = ?").get(first.turn) ?? {}
  database.prepare("UPDATE texts SET body = x'00' WHERE id = ?").run(Number(frame))
  database.prepare("UPDATE texts SET body = x'00' WHERE id = ?").run(Number(plan))
  database.close()
  expect(await operator.get(`/api/calls/${first.turn}.1`)).toMatchObject({
    ...{ report: null, parts: [], request: null, isExact: false, answer: "Aye." },
    call: { usage: { output: expect.any(Number) } },
  })
  expect((await operator.get(`/api/calls?session=${first.session}`)).calls).toHaveLength(2)
  expect((await operator.get("/api/carried?path=SOUL.md&from=1")).ids).toEqual([`${second.turn}.1`])
  const all = new DatabaseSync(record)
  all.exec("UPDATE texts SET body = x'00'; UPDATE events SET metadata = '{', price = '{', cache_write = '{'")
  all.close()
  for (const path of [
    "/api/page/sessions",
    `/api/calls?session=${first.session}`,
    `/api/calls/${second.turn}.1`,
    "/api/carried?path=SOUL.md&from=1",
  ])
    expect([path, (await operator.raw(path)).slice(0, 3)]).toEqual([path, "200"])
})

test("names that look like others lead nowhere", async () => {
  const { operator } = await openPageWorld({ scripts: [say("Aye.")] })
  const { session, turn } = await operator.say("hello")
  const missing = await operator.raw("/api/calls/nothing.1")
  const odd = [turn, ...["01", "1.1", "-1", "1e0", "99999999999", "x"].map((step) => `${turn}.${step}`)]
  for (const id of [...odd, "%F0%9F%92%A9.1"])
    expect([id, await operator.raw(`/api/calls/${id}`)]).toEqual([id, missing])
  for (const name of ["'; DROP TABLE receipts; --", "%", "_", "\u0000", "x".repeat(5_000)])
    expect((await operator.raw(`/api/calls?session=${encodeURIComponent(name)}`)).slice(0, 3)).toBe("404")
  expect((await operator.get(`/api/calls?session=${session}`)).calls).toHaveLength(1)
})
