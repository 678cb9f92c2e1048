// The support agent of support.ts with Anthropic's SDK. `node examples/programs/support-anthropic.ts` runs it
// against a local server, without a key.
import Anthropic from "@anthropic-ai/sdk"
import { definePrompt, perSession, perTurn, text } from "incipit"
import { files } from "incipit/sources"
import { startMessagesServer } from "./messages-server.ts"
import { type Note, notes, runAll, tasks, tools } from "./support-data.ts"

process.chdir(new URL("support", import.meta.url).pathname)
const server = await startMessagesServer(({ messages }) =>
  messages.length < 19
    ? [{ type: "tool_use", id: `call_${messages.length}`, name: "find_order", input: { number: "A17" } }]
    : [{ type: "text", text: "A17 is on its way from Malmö." }],
)
const client = new Anthropic({ apiKey: "none", baseURL: process.env.ANTHROPIC_BASE_URL ?? server.url })

// biome-ignore format: as short as in the guide
const support = definePrompt({ budget: 3000, tools, sections: {
  base: text("You are the support agent of Acme.", { priority: "required" }),
  rules: files("rules"),
  notes: perSession((s: { notes: Note[] }) => s.notes, { priority: "high" }),
  tasks: perTurn((t: { tasks: string[] }) => t.tasks.join("\n")),
  clock: perTurn((t: { now: Date }) => t.now.toISOString()),
} })
const chat = support.open({ id: "mallory", trust: "familiar", notes })
chat.say("Where is A17?", { tasks, now: new Date() })
for (;;) {
  const calls = chat.add((await client.messages.create(chat.anthropic("claude-sonnet-5-5"))).content)
  if (calls.length === 0) break
  chat.answer(await runAll(calls))
}
console.table(chat.report().sections)

await server.close()
