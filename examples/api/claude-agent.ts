// Every name of `incipit/claude-agent` in use, without the SDK: what `query` is given, and what its hooks are answered. The
// SDK itself is in the program of docs/hosts/claude-agent.md.
import { definePrompt, perSession, perTurn, text } from "incipit"
import { type ClaudeAgentChat, openChat } from "incipit/claude-agent"

const harbour = definePrompt({
  sections: {
    base: text("You are the harbour master.", { priority: "required" }),
    person: perSession((s: { name: string }) => `You talk with ${s.name}.`),
    clock: perTurn((t: { now: string }) => `It is ${t.now}.`),
  },
})

const chat: ClaudeAgentChat<{ name: string }> = openChat(
  harbour,
  { id: "ada", name: "Ada" },
  {
    turn: () => ({ now: "noon" }),
    onCall: ({ turn, step, usage }) => console.log(`turn ${turn}, call ${step}:`, usage),
  },
)

// For `query({ prompt: chat.words("Who is in?"), options })`.
const options = chat.queryOptions({ model: "claude-sonnet-5-5", env: {} })
console.log(options.systemPrompt.prompt)

// The SDK asks the hooks, and sends what they answer after the words.
const [own] = options.hooks.UserPromptSubmit
const input = { hook_event_name: "UserPromptSubmit", prompt: chat.words("Who is in?") }
console.log((await own?.hooks[0]?.(input))?.hookSpecificOutput)

// Each message of the query, such as these, tells of the calls.
const usage = { input_tokens: 12, cache_read_input_tokens: 300, cache_creation_input_tokens: 0 }
chat.take({ type: "assistant", message: { id: "msg_1", model: "claude-sonnet-5-5", usage } })
chat.take({ type: "result", subtype: "success", usage: { output_tokens: 20 } })

// Behind another address, the SDK drops its boundary.
chat.queryOptions({ env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:8080" } })
console.log(chat.findings.map(({ code }) => code))
