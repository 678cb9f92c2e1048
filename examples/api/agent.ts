// Every name of `incipit/agent` in use: a complete agent inside a program, here with the offline model.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { definePrompt, feed, type Profile, perTurn, readInput, section, sessionInput, tags } from "incipit"
import {
  type AgentOptions,
  type AgentStore,
  type Approval,
  type ApprovalRequest,
  type Approve,
  type Asker,
  type InputQuestion,
  type InputSource,
  type LiveEvent,
  type OfflineScript,
  offlineModel,
  openAgent,
  openModel,
  openStore,
  type PromptAgentOptions,
  type PromptInputSource,
  type ReplyStream,
  type RunningAgent,
  type ScriptedCall,
  type ScriptedResult,
  type ScriptView,
  type SdkLanguageModel,
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
const approve: Approve = async (request: ApprovalRequest, { from }: Asker): Promise<Approval> =>
  request.kind === "shell" || from.as === "mallory" ? "no" : "yes"
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
const language: SdkLanguageModel = model.language()
console.log(model.id, language.modelId)

// A store of your own choice: this one is gone when it is closed.
const store: AgentStore = await openStore(":memory:")
const passing = await openAgent({ ...options, store })
console.log((await passing.send("Who are you?")).text.split("\n").at(-1))

// Your own profile is an agent, too. It keeps nothing, and a script plays the model.
const find: ScriptedCall = { name: "find_order", input: { id: "A17" } }
const said = ({ text }: ScriptedResult) => `Good news: ${text}`
const script: OfflineScript = ({ results: [found] }: ScriptView) =>
  found === undefined ? [find] : said(found)
const orders = sessionInput("orders", (value) => (typeof value === "number" ? value : undefined))
const support: Profile = {
  name: "support",
  order: "paced",
  markup: tags,
  sections: [
    section({
      id: "orders",
      pace: "session",
      build: ({ session }) => `They have ${readInput(session, orders)} orders.`,
    }),
  ],
}
const ordersOf = ({ from }: InputQuestion) => (from.as === "ada" ? 3 : 0)
const inputs: InputSource = { session: (who) => feed(orders, ordersOf(who)) }
const findOrder = defineTool({
  name: "find_order",
  description: "Says where an order is.",
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  approve: ({ id }) => id.startsWith("X"),
  run: ({ id }) => `${id} left the harbour on Monday.`,
})
const desk = await openAgent({
  profile: support,
  inputs,
  tools: [findOrder],
  model: offlineModel({ script }),
})
const stream: ReplyStream = desk.stream("Where is A17?", { as: "ada" })
for await (const event of stream) if (event.kind === "tool-started") console.log(event.name)
const { text: news, prompt } = await stream.reply
console.log(news, prompt?.head[0]?.text)

// So is a prompt of `definePrompt`: the types demand what its sections need.
interface Turn {
  readonly tasks: readonly string[]
}
const duty = definePrompt({ sections: { tasks: perTurn(({ tasks }: Turn) => tasks) } })
const dutyInputs: PromptInputSource<object, Turn> = {
  turn: ({ message }) => ({ tasks: [`Note: ${message}`] }),
}
const dutyOptions: PromptAgentOptions<object, Turn> = { prompt: duty, inputs: dutyInputs, model: "offline" }
const watch = await openAgent(dutyOptions)
console.log((await watch.preview("A ship at nine.")).tail?.text)

await watch.close()
await desk.close()
await passing.close()
await agent.close()
rmSync(workspace, { recursive: true })
