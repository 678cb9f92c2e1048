// A process that steers a turn, forks its session and has a client run a tool, and is killed before or after the n-th
// change of its store. It can be started again: whatever was done is not done twice.

import { appendFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import type { RunningAgent } from "../../src/agent/setup/agent.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import type { RunnableTool } from "../../src/tools/define-tool.ts"
import { dyingStore } from "../agent/store/dying-store.ts"

const WRITES: readonly string[] = [
  ...["inbox.receive", "inbox.begin", "steering.take", "transcripts.change", "transcripts.fork"],
  ...["waits.suspend", "waits.resolve", "runs.start", "runs.withdraw", "runs.finish", "inbox.finish"],
]

const CLIENT_TOOLS = [{ name: "ring", description: "Rings the bell.", parameters: { type: "object" } }]

const FURTHER = "And the gate."

/** Each part has an id, so that it can be repeated. Prints what became of each. */
async function story(agent: RunningAgent, root: string): Promise<void> {
  const first = await agent.send("Paint the door.", { id: "m1" })
  const second = await agent.send(FURTHER, { id: "m2", session: first.session })
  const fork = await agent.fork(first.session, { at: first.turn })
  const third = await agent.send("Ring.", { id: "m3", session: fork.session, clientTools: CLIENT_TOOLS })
  const end =
    third.state !== "waiting"
      ? third
      : await agent.resolve(
          third.turn,
          (third.calls ?? []).map(({ id }) => ({ id, text: "rang" })),
        )
  const all = { first, second, end }
  const facts = Object.entries(all).map(([name, { state, session }]) => [name, { state, session }])
  appendFileSync(join(root, "told"), `${JSON.stringify(Object.fromEntries(facts))}\n`)
}

/** While it paints, the second message comes. What it does shows in a file. */
function paint(root: string, during: () => Promise<void>): RunnableTool {
  return {
    name: "paint",
    description: "Paints.",
    parameters: { type: "object" },
    async run() {
      appendFileSync(join(root, "acts"), "paint\n")
      await during()
      return "painted"
    },
  }
}

/** The agent of the story; `at`: where its process is killed. */
export async function tell(root: string, env: NodeJS.ProcessEnv, at = ""): Promise<void> {
  const store = await openStore(join(root, ".incipit", "agent.db"))
  const during = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    // Its answer is that of the turn, or its own.
    void agent.send(FURTHER, { id: "m2", duringTurn: "steer", stored: resolve }).catch(() => undefined)
    await promise
  }
  const agent: RunningAgent = await openAgent({
    ...{ workspace: root, home: join(root, "no-home"), state: join(root, ".incipit"), env, timeZone: "UTC" },
    ...{ model: "anthropic/claude-sonnet-5-5", approve: async () => "yes" as const },
    tools: [paint(root, during)],
    store: dyingStore(store, { at, writes: WRITES }),
  })
  await agent.resume()
  await story(agent, root)
  await agent.close()
  await store.close()
}

if (import.meta.main) {
  const [, , root = "", at = ""] = process.argv
  await tell(root, process.env, at)
  process.stdout.write("completed\n")
}
