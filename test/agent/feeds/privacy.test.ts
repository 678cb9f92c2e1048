// Several people speak with one agent in any order. What each of them is told is what they would be told alone.
import fc from "fast-check"
import { expect, test } from "vitest"
import { gatherFeeds } from "../../../src/agent/feeds/feeds.ts"
import { openProfiler } from "../../../src/agent/feeds/profiler.ts"
import { openTaskBoard } from "../../../src/agent/feeds/tasks.ts"
import { openWorkflows } from "../../../src/agent/feeds/workflow.ts"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { agentStoreIn } from "../../../src/database/sqlite/agent/agent-store.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { NOON } from "../world/temporary-store.ts"

const AGENTS = ["main", "other"]
const PEOPLE = ["ada", "bob", "owner", "room:harbour", "unknown:telegram"]
const WORKFLOW = {
  name: "release",
  path: "workflows/release.md",
  title: "Release",
  trust: "familiar",
  steps: ["test", "tag", "tell"].map((title) => ({ title, notes: [] })),
} as const

function feedersOf(store: AgentStore, agent: string, who: string) {
  const keeping = { agent, who, now: () => NOON }
  const read = () => ({ value: [WORKFLOW], diagnostics: [] })
  return {
    tasks: openTaskBoard(store, { ...keeping, trust: "full" }),
    workflow: openWorkflows(store, { ...keeping, trust: "full", read }),
    communication: openProfiler(store, keeping),
  }
}

interface Act {
  readonly agent: string
  readonly who: string
  readonly kind: "task" | "finish" | "start" | "advance" | "stop" | "write" | "erase"
  readonly word: string
}

async function act(store: AgentStore, { agent, who, kind, word }: Act): Promise<void> {
  const { tasks, workflow, communication } = feedersOf(store, agent, who)
  if (kind === "task") await tasks.write({ title: `${who} ${word}` })
  if (kind === "finish")
    for (const { id } of (await tasks.forPrompt()).slice(0, 1)) await tasks.write({ id, status: "done" })
  if (kind === "start") await workflow.start("release")
  if (kind === "advance") await workflow.advance()
  if (kind === "stop") await workflow.stop()
  if (kind === "write") await communication.observe(`Please have a look at the ${word} of ${who}`)
  if (kind === "erase") for (const feeder of [tasks, communication]) await feeder.erase()
}

function told(store: AgentStore, { agent, who }: Pick<Act, "agent" | "who">) {
  const feeders = feedersOf(store, agent, who)
  return gatherFeeds({ message: "Look at it", who, trust: "full", session: {}, feeders })
}

function emptyStore(): AgentStore {
  return agentStoreIn(openDatabase(":memory:", { migrations: STORE_MIGRATIONS }), () => NOON)
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

test("what one does changes nothing for another", async () => {
  await fc.assert(
    fc.asyncProperty(
      acts,
      fc.constantFrom(...AGENTS),
      fc.constantFrom(...PEOPLE),
      async (all, agent, who) => {
        const [together, alone] = [emptyStore(), emptyStore()]
        for (const one of all) await act(together, one)
        for (const one of all) if (one.agent === agent && one.who === who) await act(alone, one)
        expect(await told(together, { agent, who })).toEqual(await told(alone, { agent, who }))
      },
    ),
    { seed: 1, numRuns: 60 },
  )
})
