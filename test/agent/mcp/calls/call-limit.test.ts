// How long a call may take: progress gives it more time, though not for ever, and a person's answer costs none.
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { callLimit } from "../../../../src/agent/mcp/calls/call-limit.ts"

test("progress without end ends after ten times the limit", async () => {
  const limit = callLimit(20, undefined)
  const start = performance.now()
  while (!limit.signal.aborted) {
    limit.progressed()
    await sleep(1)
  }
  expect(performance.now() - start).toBeGreaterThanOrEqual(190)
  limit.end()
})

test("the time in which a person is asked does not count, and progress then begins nothing", async () => {
  const limit = callLimit(30, undefined)
  const wasAborted = await limit.without(async () => {
    limit.progressed()
    await sleep(120)
    return limit.signal.aborted
  })
  expect(wasAborted).toBe(false)
  await expect.poll(() => limit.signal.aborted, { interval: 5 }).toBe(true)
  limit.end()
})

test("it ends when the caller stops, and leaves nothing behind", () => {
  const stop = new AbortController()
  const limit = callLimit(60_000, stop.signal)
  stop.abort()
  expect(limit.signal.aborted).toBe(true)
  limit.end()
  const stopped = callLimit(60_000, stop.signal)
  expect(stopped.signal.aborted).toBe(true)
  stopped.end()
})
