// A support agent in fifteen lines, with OpenAI's SDK. `node examples/programs/support.ts` runs it against a local
// server, without a key.

import { definePrompt, perSession, perTurn, text } from "incipit"
import { files } from "incipit/sources"
import OpenAI from "openai"
import { startResponsesServer } from "./responses-server.ts"
import { type Note, notes, runAll, tasks, tools } from "./support-data.ts"

process.chdir(new URL("support", import.meta.url).pathname)
const server = await startResponsesServer((_request, number) =>
  number < 10
    ? { call: "find_order", input: { number: `A${number + 7}` } }
    : { text: "A17 is on its way from Malmö." },
)
const client = new OpenAI({ apiKey: "none", baseURL: process.env.OPENAI_BASE_URL ?? server.url })

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
  const calls = chat.add((await client.responses.create(chat.openai("gpt-5.2"))).output)
  if (calls.length === 0) break
  chat.answer(await runAll(calls))
}
console.table(chat.report().sections)

await server.close()
