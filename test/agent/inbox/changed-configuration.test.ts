// What an agent that is open makes of a configuration that changes.
import { expect, onTestFinished, test, vi } from "vitest"
import {
  call,
  clock,
  inStore,
  NIGHT,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
  write,
} from "../world/agent-world.ts"

const EVERY_MINUTE = 'profile: incipit\nschedule: [{ cron: "* * * * *", run: Look around. }]\n'

test("a store that needs more trust is closed with the next message", async () => {
  const users = "profile: incipit\nusers: { bob: { trust: familiar } }\n"
  const root = workspace({ "incipit.yaml": users, "memory/social/x.md": "# X\n\n- The zebra sleeps.\n" })
  const search = call(["memory_search", { query: "zebra" }])
  const from = await server([search, say("found"), search, say("nothing")])
  const { agent } = await open(root, from)
  const { session } = await agent.send("search", { as: "bob" })
  write(root, "incipit.yaml", `${users}memory: { stores: { private: full, shared: inner, social: full } }\n`)
  await agent.send("search again", { as: "bob" })
  const results = transcript(root, session).filter((line) => line.startsWith("result: "))
  expect(results.map((line) => line.includes("The zebra sleeps."))).toEqual([true, false])
})

test("to read a broken configuration again fails, and the last good one stays", async () => {
  const root = workspace()
  const { agent } = await open(root, undefined)
  write(root, "incipit.yaml", "users: [\n")
  await expect(agent.reload()).rejects.toThrow("incipit.yaml")
  expect((await agent.send("hello")).state).toBe("answered")
})

test("a schedule that is written while it is kept counts", async () => {
  const root = workspace()
  const time = clock()
  const { agent } = await open(root, undefined, { now: time.now })
  const { promise, resolve } = Promise.withResolvers<string>()
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const kept = agent.keepSchedule({ fired: ({ run }) => resolve(run) })
  write(root, "incipit.yaml", EVERY_MINUTE)
  const waiting = setInterval(() => {
    time.set(time.now() + 60_000)
    vi.advanceTimersByTime(60_000)
  }, 20)
  expect(await promise).toBe("Look around.")
  clearInterval(waiting)
  vi.useRealTimers()
  await kept.stop()
})

test("a run of the schedule is done once, by one of those who keep it", async () => {
  const root = workspace({ "incipit.yaml": EVERY_MINUTE })
  const time = clock()
  const fired: number[] = []
  const [one, other] = [
    await open(root, undefined, { now: time.now }),
    await open(root, undefined, { now: time.now }),
  ]
  const look = async () => {
    const kept = [one, other].map(({ agent }) => agent.keepSchedule({ fired: ({ due }) => fired.push(due) }))
    await Promise.all(kept.map((schedule) => schedule.stop()))
  }
  await look()
  expect(fired).toEqual([])
  time.set(NIGHT + 120_000)
  await look()
  await look()
  expect(fired).toEqual([NIGHT + 120_000])
  expect(inStore(root, (store) => store.all("SELECT state FROM inbox").map(({ state }) => state))).toEqual([
    "done",
  ])
})

test("what the workspace schedules is not for its further agents", async () => {
  const root = workspace({ "incipit.yaml": EVERY_MINUTE, "agents/butler/SOUL.md": "You serve tea.\n" })
  const time = clock()
  const { agent } = await open(root, undefined, { now: time.now, agent: "butler" })
  const fired: number[] = []
  for (const passed of [0, 120_000]) {
    time.set(NIGHT + passed)
    await agent.keepSchedule({ fired: ({ due }) => fired.push(due) }).stop()
  }
  expect(fired).toEqual([])
})

test("a run of the schedule that never ends is stopped by its signal", async () => {
  const root = workspace({ "incipit.yaml": EVERY_MINUTE })
  const time = clock()
  const first = await open(root, undefined, { now: time.now })
  // From the first time it is asked, an entry has a past.
  await first.agent.keepSchedule().stop()
  await first.agent.close()
  time.set(time.now() + 120_000)
  const from = await server([call(["wait_for_ever", {}]), say("done")])
  const begun = Promise.withResolvers<void>()
  const waiting = tool("wait_for_ever", () => {
    begun.resolve()
    return new Promise(() => {})
  })
  const { agent } = await open(root, from, { now: time.now, tools: [waiting] })
  const stop = new AbortController()
  const states: string[] = []
  const kept = agent.keepSchedule({ signal: stop.signal, fired: (_run, { state }) => states.push(state) })
  await begun.promise
  const ended = kept.stop()
  stop.abort()
  await ended
  expect(states).toEqual(["stopped"])
})
