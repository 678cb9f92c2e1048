// Every name of `incipit/pi` in use. pi calls the handlers of an extension; here the program does, with events of the same
// form, so that it runs without pi. `examples/pi` is an extension that pi loads.
import { definePrompt, perTurn, text } from "incipit"
import { openChat, type PiChat, type PiExtensionApi } from "incipit/pi"

const harbour = definePrompt({
  sections: {
    base: text("You are the harbour master.", { priority: "required" }),
    clock: perTurn((t: { now: string }) => `It is ${t.now}.`),
  },
})

// In pi, the default export of the extension's file calls `chat.extension`.
const chat: PiChat<object> = openChat(harbour, { id: "ada" }, { turn: () => ({ now: "noon" }) })
const handlers = new Map<string, (event: never, context: never) => unknown>()
const pi: PiExtensionApi = {
  on: (event: string, handler: (event: never, context: never) => unknown) => handlers.set(event, handler),
  getActiveTools: () => [],
  getAllTools: () => [],
}
chat.extension(pi)

// What pi does before it answers, and before each call of the model.
const model = { id: "claude-sonnet-5-5", provider: "anthropic", api: "anthropic-messages" }
const call = (name: string, event: object) => handlers.get(name)?.(event as never, { model } as never)
const systemPromptOptions = { sections: {} }
await call("before_agent_start", { systemPromptOptions })
console.log(systemPromptOptions)
const messages = [{ role: "user", content: "Who is in?" }]
console.log(JSON.stringify(await call("context_with_system", { messages })))
console.log(chat.report().turn, "turn")
