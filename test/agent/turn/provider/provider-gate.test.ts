// Many sessions that a provider limits at once: without a gate they come back in waves and are refused again; with it
// they come as fast as the provider takes them. Time is simulated: nothing here waits or depends on load.
import { expect, test } from "vitest"
import { ModelFailure } from "../../../../src/agent/turn/provider/call.ts"
import { createGate, type Gate } from "../../../../src/agent/turn/provider/provider-gate.ts"
import { queueWait, withRetries } from "../../../../src/agent/turn/provider/retry.ts"
import { clock, open, refuse, say, server, workspace } from "../../world/agent-world.ts"

/** A clock that jumps to whoever waits for the nearest moment once nobody can go on. */
function simulated() {
  let time = 0
  const sleepers: { at: number; wake: () => void }[] = []
  const wait = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      sleepers.push({ at: time + ms, wake: resolve })
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
    })
  return {
    now: () => time,
    wait,
    async until(work: Promise<unknown>) {
      let isOver = false
      void work.finally(() => {
        isOver = true
      })
      for (;;) {
        // Everything that can go on does so.
        await new Promise((resolve) => setImmediate(resolve))
        if (isOver) return
        sleepers.sort((one, other) => one.at - other.at)
        const next = sleepers.shift()
        if (next === undefined) throw new Error("nobody can go on")
        time = next.at
        next.wake()
      }
    },
  }
}

/** Takes so many calls a second and refuses the others, as providers do. */
function limitedProvider(time: ReturnType<typeof simulated>, perSecond: number) {
  const taken: number[] = []
  const refused: number[] = []
  return {
    taken,
    refused,
    async call() {
      const at = time.now()
      const isFull = taken.filter((then) => then > at - 1_000).length >= perSecond
      ;(isFull ? refused : taken).push(at)
      await time.wait(isFull ? 5 : 150)
      if (isFull) throw new ModelFailure("limited", "429: slow down", { status: 429 })
    },
  }
}

/** From 0 to 1, the same every time. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const NO_GATE: Gate = { pass: (work) => work() }
const SESSIONS = 60
const PER_SECOND = 6

async function rush(how: { readonly isGated: boolean }) {
  const time = simulated()
  const provider = limitedProvider(time, PER_SECOND)
  const gate = how.isGated ? createGate(time) : NO_GATE
  const random = how.isGated ? chance(1) : () => 0
  const { signal } = new AbortController()
  const calls = Array.from({ length: SESSIONS }, () =>
    withRetries(provider.call, { wait: time.wait, signal, gate, random, retrying: () => {} }),
  )
  const settled = Promise.allSettled(calls)
  await time.until(settled)
  const answered = (await settled).filter(({ status }) => status === "fulfilled").length
  const { taken, refused } = provider
  /** Refused calls within each tenth of a second after the first one, where there are some. */
  const waves = Object.values(
    Object.groupBy(
      refused.filter((at) => at >= 100),
      (at) => Math.floor(at / 100),
    ),
  )
  return {
    answered,
    refused: refused.length,
    wave: Math.max(0, ...waves.map((wave) => wave?.length ?? 0)),
    taken,
  }
}

test("without a gate limited sessions come back in waves, and most are never answered; with it all are", async () => {
  const { taken: _then, ...before } = await rush({ isGated: false })
  const { taken, ...after } = await rush({ isGated: true })
  expect({ before, after }).toMatchInlineSnapshot(`
    {
      "after": {
        "answered": 60,
        "refused": 67,
        "wave": 5,
      },
      "before": {
        "answered": 24,
        "refused": 180,
        "wave": 48,
      },
    }
  `)
  expect(after.answered).toBe(SESSIONS)
  expect(taken.length).toBe(SESSIONS)
})

test("a provider that refuses nothing is not held up", async () => {
  const time = simulated()
  const gate = createGate(time)
  const { signal } = new AbortController()
  let most = 0
  let underWay = 0
  const call = async () => {
    underWay += 1
    most = Math.max(most, underWay)
    await time.wait(100)
    underWay -= 1
  }
  await time.until(Promise.all(Array.from({ length: 200 }, () => gate.pass(call, signal))))
  expect([most, time.now()]).toEqual([200, 100])
})

test("after trouble everything passes again, and one who stops keeps nobody waiting", async () => {
  const time = simulated()
  const gate = createGate(time)
  const stop = new AbortController()
  const { signal } = new AbortController()
  const limited = () => Promise.reject(new ModelFailure("limited", "429", { retryAfterMs: 5_000 }))
  await expect(gate.pass(limited, signal)).rejects.toThrow("429")
  const stopped = gate.pass(() => Promise.resolve("stopped"), stop.signal).catch((error: unknown) => error)
  const others = Promise.all(
    Array.from({ length: 20 }, (_, at) => gate.pass(() => Promise.resolve(at), signal)),
  )
  stop.abort(new Error("enough"))
  await expect(stopped).resolves.toMatchObject({ kind: "stopped" })
  await time.until(others)
  expect([await others, time.now()]).toEqual([Array.from({ length: 20 }, (_, at) => at), 5_000])
  await time.until(Promise.all(Array.from({ length: 20 }, () => gate.pass(() => time.wait(10), signal))))
  expect(time.now()).toBe(5_010)
})

test("who would wait longer than half a minute is told at once how long", async () => {
  const time = simulated()
  const gate = createGate(time)
  const { signal } = new AbortController()
  const limited = () => Promise.reject(new ModelFailure("limited", "429", { retryAfterMs: 3_600_000 }))
  await expect(gate.pass(limited, signal)).rejects.toThrow("429")
  const called: string[] = []
  const second = gate.pass(async () => void called.push("second"), signal)
  await expect(second).rejects.toMatchObject({ kind: "limited", retryAfterMs: 3_600_000 })
  expect(called).toEqual([])
})

test("waits are spread, and never shorter than they were or than the provider asks", () => {
  const random = chance(7)
  const waits = Array.from({ length: 200 }, () => queueWait(0, { random }))
  expect([Math.min(...waits) >= 60_000, Math.max(...waits) <= 75_000, new Set(waits).size > 190]).toEqual([
    true,
    true,
    true,
  ])
  expect(queueWait(0, { retryAfterMs: 100_000, random: () => 0 })).toBe(100_000)
})

test("sessions of one agent pass one gate: one is limited for an hour, the others do not ask", async () => {
  const time = clock()
  const from = await server([refuse(429, { "retry-after": "3600" }), say("One.")])
  const { agent } = await open(workspace(), from, { now: time.now, wait: time.wait })
  const first = await agent.send("first", { isNew: true })
  const second = await agent.send("second", { isNew: true })
  expect([first.state, second.state, from.bodies.length]).toEqual(["queued", "queued", 1])
})
