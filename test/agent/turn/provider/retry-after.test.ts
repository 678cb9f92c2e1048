// What a provider's headers ask for, however they say it, is never longer than an hour.
import fc from "fast-check"
import { expect, test } from "vitest"
import { MOST_ASKED_MS, retryAfter } from "../../../../src/agent/turn/provider/retry-after.ts"
import { clock, inStore, NIGHT, open, refuse, say, server, workspace } from "../../world/agent-world.ts"

test.each([
  [{}, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "10" }, 10_000],
  [{ "retry-after": "-5" }, 0],
  [{ "retry-after-ms": "2500", "retry-after": "10" }, 2_500],
  [{ "retry-after-ms": "Infinity" }, MOST_ASKED_MS],
  [{ "retry-after": "Infinity" }, MOST_ASKED_MS],
  [{ "retry-after": "2592000" }, MOST_ASKED_MS],
  [{ "retry-after": "Mon, 01 Jan 2024 00:00:20 GMT", date: "Mon, 01 Jan 2024 00:00:00 GMT" }, 20_000],
  [{ "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT", date: "Mon, 01 Jan 2024 00:00:00 GMT" }, MOST_ASKED_MS],
])("%j", (headers, ms) => {
  expect(retryAfter(headers)).toBe(ms)
})

test("whatever the headers say, it is between nothing and an hour", () => {
  const value = fc.oneof(fc.string(), fc.double().map(String), fc.date({ noInvalidDate: true }).map(utc))
  const headers = fc.record(
    { "retry-after": value, "retry-after-ms": value, date: value },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(headers, (given) => {
      const ms = retryAfter(given)
      expect(ms === undefined || (ms >= 0 && ms <= MOST_ASKED_MS)).toBe(true)
    }),
  )
})

function utc(date: Date): string {
  return date.toUTCString()
}

test("a provider that asks to wait for a month is asked again after an hour", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([refuse(429, { "retry-after": "2592000" }), say("One.")])
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait })
  const { state } = await agent.send("first")
  const [row] = inStore(root, (store) => store.all("SELECT not_before FROM inbox"))
  expect([state, Number(row?.not_before) - NIGHT]).toEqual(["queued", 3_600_000])
  time.set(NIGHT + 3_600_000)
  await agent.resume()
  expect(late.map(({ text }) => text)).toEqual(["One."])
})
