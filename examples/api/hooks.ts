// Every name of `incipit/hooks` in use: a module of hooks. Save one like it in hooks/ of a workspace.
import {
  type BeforeAgentStart,
  type BeforeAgentStartResult,
  defineHooks,
  type HookHost,
  type Hooks,
  type ToolCallEvent,
  type ToolCallResult,
  type TurnEndEvent,
} from "incipit/hooks"

// Adds a section to one turn.
function before_agent_start({ turn }: BeforeAgentStart, _host: HookHost): BeforeAgentStartResult {
  const content = `The lamp has been lit for ${turn.now / 1000} seconds.`
  return { edits: [{ kind: "add", section: { id: "lamp", content } }] }
}

// Refuses a call; the model reads the reason.
function tool_call({ name, input }: ToolCallEvent): ToolCallResult | undefined {
  const text = JSON.stringify(input)
  return name === "shell" && text.includes("rm -r") ? { block: "Nothing is removed here." } : undefined
}

function turn_end({ steps }: TurnEndEvent): void {
  console.log(`answered in ${steps} steps`)
}

// `defineHooks` gives JavaScript the types. `guard`: a call that cannot be checked is refused.
const module = defineHooks({
  name: "lamp",
  trust: "familiar",
  guard: true,
  before_agent_start,
  tool_call,
  turn_end,
})
console.log(Object.keys(module))

// Or one object of hooks for `openAgent({ hooks: [module] })`, with every argument typed by its place.
export const quiet: Hooks = {
  resources_discover: () => ({ skillFolders: ["skills"] }),
  context: ({ messages }) => ({ messages: messages.slice(-20) }),
  tool_result: ({ text }) => ({ text: text.slice(0, 2_000) }),
}
