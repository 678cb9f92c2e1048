// A process of its own that sends what it is told to, and answers with what it was answered.
import { join } from "node:path"
import process from "node:process"
import type { SendOptions } from "../../../src/agent/setup/agent.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { tools } from "../store/crash-worker.ts"

export interface Told {
  readonly text: string
  readonly options?: Pick<SendOptions, "as" | "session">
}

const [, , root = ""] = process.argv
const agent = await openAgent({
  workspace: root,
  home: join(root, "no-home"),
  state: join(root, ".incipit"),
  model: "anthropic/claude-sonnet-5-5",
  timeZone: "UTC",
  env: process.env,
  tools: tools(root),
})

process.on("message", async ({ text, options }: Told) => {
  const { state, text: answer, session } = await agent.send(text, options)
  process.send?.({ asked: text, state, answer, session })
})
process.on("disconnect", () => void agent.close())
process.send?.("ready")
