// A process of its own that may write nowhere: an agent that keeps nothing answers, uses its tools, plans, and is closed.
import process from "node:process"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"

const [, , workspace = ""] = process.argv
const options = { model: "offline", record: false, memory: false, store: "memory" } as const

const said: string[] = []
for (const where of [{ workspace }, { profile: incipit }]) {
  const agent = await openAgent({ ...where, ...options })
  for (const message of ["who are you?", "remember that the lamp is green", "plan tasks: oil, wick"])
    said.push((await agent.send(message)).state)
  said.push((await agent.send("create file a.md with b", { planMode: true })).state)
  const { plans, tasks } = agent.kept()
  said.push(`${plans.list().value.length} plans, ${(await tasks.list()).length} tasks`)
  said.push(agent.memory.search("lamp", { trust: "full" }).status)
  said.push((await agent.sessions()).length === 1 ? "one session" : "other sessions")
  await agent.close()
}
process.stdout.write(said.join("\n"))
