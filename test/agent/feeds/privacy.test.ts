// Several people speak with one agent in any order. What each of them is told is what they would be told alone.
import fc from "fast-check"
import { expect, test } from "vitest"
import { gatherFeeds } from "../../../src/agent/feeds/feeds.ts"
import { openProfiler } from "../../../src/agent/feeds/profiler.ts"
import { openTaskBoard } from "../../../src/agent/feeds/tasks.ts"
import { openWorkflows } from "../../../src/agent/feeds/workflow.ts"
import { STORE_MIGRATIONS } from "../../../src/agent/store/schema.ts"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { NOON } from "../store.ts"

const AGENTS = ["main", "other"]
const PEOPLE = ["ada", "bob", "owner", "room:harbour", "unknown:telegram"]
const WORKFLOW = {
  name: "release",
  path: "workflows/release.md",
  title: "Release",
  trust: "familiar",
  steps: ["test", "tag", "tell"].map((title) => ({ title, notes: [] })),
} as const

function feedersOf(database: Database, agent: string, who: string) {
  const keeping = { agent, who, now: () => NOON }
  const read = () => ({ value: [WORKFLOW], diagnostics: [] })
  return {
    tasks: openTaskBoard(database, { ...keeping, trust: "full" }),
    workflow: openWorkflows(database, { ...keeping, trust: "full", read }),
    communication: openProfiler(database, keeping),
  }
}

interface Act {
  readonly agent: string
  readonly who: string
  readonly kind: "task" | "finish" | "start" | "advance" | "stop" | "write" | "erase"
  readonly word: string
}

function act(database: Database, { agent, who, kind, word }: Act): void {
  const { tasks, workflow, communication } = feedersOf(database, agent, who)
  if (kind === "task") tasks.write({ title: `${who} ${word}` })
  if (kind === "finish") for (const { id } of tasks.told().slice(0, 1)) tasks.write({ id, status: "done" })
  if (kind === "start") workflow.start("release")
  if (kind === "advance") workflow.advance()
  if (kind === "stop") workflow.stop()
  if (kind === "write") communication.observe(`Please have a look at the ${word} of ${who}`)
  if (kind === "erase") for (const feeder of [tasks, communication]) feeder.erase()
}

function told(database: Database) {
  return AGENTS.flatMap((agent) =>
    PEOPLE.map((who) => {
      const feeders = feedersOf(database, agent, who)
      return gatherFeeds({ message: "Look at it", who, trust: "full", session: {}, feeders })
    }),
  )
}

function emptyStore(): Database {
  return openDatabase(":memory:", { migrations: STORE_MIGRATIONS })
}

const acts = fc.array(
  fc.record({
    agent: fc.constantFrom(...AGENTS),
    who: fc.constantFrom(...PEOPLE),
    kind: fc.constantFrom("task", "finish", "start", "advance", "stop", "write", "write", "write", "erase"),
    word: fc.constantFrom("lamp", "boat", "灯台", "engine"),
  } satisfies { [K in keyof Act]: fc.Arbitrary<Act[K]> }),
  { maxLength: 60 },
)

test("what one does changes nothing for another", () => {
  fc.assert(
    fc.property(acts, fc.constantFrom(...AGENTS), fc.constantFrom(...PEOPLE), (all, agent, who) => {
      const [together, alone] = [emptyStore(), emptyStore()]
      for (const one of all) act(together, one)
      for (const one of all) if (one.agent === agent && one.who === who) act(alone, one)
      const at = AGENTS.indexOf(agent) * PEOPLE.length + PEOPLE.indexOf(who)
      expect(told(together)[at]).toEqual(told(alone)[at])
    }),
    { seed: 1, numRuns: 60 },
  )
})
