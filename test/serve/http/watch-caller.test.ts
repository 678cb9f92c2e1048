// Streams without an end of their own are left once their caller no longer counts.
import { setTimeout as sleep } from "node:timers/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import { watchCaller } from "../../../src/serve/auth/watch-caller.ts"
import { inspectedPage } from "../../../src/serve/page/inspected-page.ts"
import { openInspector } from "../../../src/serve/page/open-inspector.ts"
import type { PageSource } from "../../../src/serve/page/page-source.ts"

test("one look after the other, however slow, until the caller no longer counts", async () => {
  const failed = vi.fn()
  const end = vi.fn()
  const answers = [true, new Error("the store is away"), true, false, true]
  let [open, most, asked] = [0, 0, 0]
  const isCurrent = async () => {
    open += 1
    most = Math.max(most, open)
    // Longer than the time between two looks.
    await sleep(20)
    open -= 1
    const answer = answers[asked]
    asked += 1
    if (answer instanceof Error) throw answer
    return answer ?? true
  }
  onTestFinished(watchCaller({ isCurrent, failed }, end, 2))
  await expect.poll(() => end.mock.calls.length).toBe(1)
  await sleep(100)
  expect([most, asked, end.mock.calls.length, failed.mock.calls.length]).toEqual([1, 4, 1, 1])
})

test("who stops watching hears no more", async () => {
  const end = vi.fn()
  const asked = vi.fn(async () => true)
  const stop = watchCaller({ isCurrent: asked, failed: () => {} }, end, 2)
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(1)
  stop()
  const { length } = asked.mock.calls
  await sleep(50)
  expect([asked.mock.calls.length - length, end.mock.calls.length]).toEqual([0, 0])
})

test("a page that follows changes and has signed out is left although nothing changes", {
  timeout: 60_000,
}, async () => {
  const listeners = new Set<() => void>()
  // The stream reads nothing else of a source.
  const source = {
    id: "captures",
    watch(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as PageSource
  const page = inspectedPage({ title: "tides", sources: () => [source], config: {} })
  const { url, code, close } = await openInspector({ page, port: undefined, now: Date.now, warn: () => {} })
  onTestFinished(close)
  const post = (path: string, init: RequestInit) =>
    fetch(`${url}${path}`, { method: "POST", redirect: "manual", ...init })
  const signedIn = await post("/login", { body: new URLSearchParams({ code }) })
  const [cookie = ""] = (signedIn.headers.get("set-cookie") ?? "").split(";")
  const stream = await fetch(`${url}/api/page/changes`, { headers: { cookie } })
  expect(listeners.size).toBe(1)
  await post("/logout", { headers: { cookie, origin: url } })
  expect(await stream.text()).toBe(": following\n\n")
  expect(listeners.size).toBe(0)
})
