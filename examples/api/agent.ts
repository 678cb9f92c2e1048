// Every name of `incipit/agent` in use: a complete agent inside a program, here with the offline model.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type AgentOptions,
  type AgentStore,
  type Approval,
  type ApprovalRequest,
  type LiveEvent,
  offlineModel,
  openAgent,
  openModel,
  openStore,
  type RunningAgent,
  type SendOptions,
  ToolFailure,
} from "incipit/agent"
import { defineTool } from "incipit/tools"

const workspace = mkdtempSync(join(tmpdir(), "otto-"))
writeFileSync(join(workspace, "IDENTITY.md"), "---\nname: Otto\n---\nYou keep the harbour's book.\n")

// The message of a ToolFailure goes to the model; any other error counts as the tool's fault.
const bell = defineTool({
  name: "notify_user",
  description: "Rings the bell and shows a notice.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => {
    if (text.includes("fire")) throw new ToolFailure("The bell is for lamps, not for fires.")
    return `The bell rang: ${text}`
  },
})

// Asked before a command runs or a file changes. Without it, everything of that kind is refused.
const approve = async (request: ApprovalRequest): Promise<Approval> =>
  request.kind === "shell" ? "no" : "yes"
const options: AgentOptions = { workspace, model: offlineModel(), tools: [bell], approve }
const agent: RunningAgent = await openAgent(options)

// What happens in the turn, while it happens.
const tell = (event: LiveEvent) => event.kind === "step-started" && console.log(`step ${event.step}`)
const asked: SendOptions = { tell, id: "message-1" }
const { state, text } = await agent.send("notify me that there is a fire", asked)
console.log(state, text.split("\n").at(-1))

// A model by its name, with the keys of the environment.
const model = await openModel("anthropic/claude-sonnet-5-5", {
  env: { ANTHROPIC_API_KEY: "sk-ant-example" },
  config: {},
})
console.log(model.id)

// A store of your own choice: this one is gone when it is closed.
const store: AgentStore = await openStore(":memory:")
const passing = await openAgent({ ...options, store })
console.log((await passing.send("Who are you?")).text.split("\n").at(-1))

await passing.close()
await agent.close()
rmSync(workspace, { recursive: true })
