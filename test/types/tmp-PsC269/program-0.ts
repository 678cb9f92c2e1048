import { definePrompt, perSession, perTurn, text, type Trust } from "../../../src/public/incipit.ts"
interface Note { text: string; trust?: Trust }
const support = definePrompt({ budget: 3000, sections: {
  base: text("You are the support agent of Acme.", { priority: "required" }),
  notes: perSession((s: { notes: Note[] }) => s.notes, { priority: "high" }),
  plan: perSession((s: { plan: "free" | "paid" }) => s.plan),
  tasks: perTurn((t: { tasks: string[] }) => t.tasks.join("\n")),
  clock: perTurn((t: { now: Date }) => t.now.toISOString()),
} })
const chat = support.open({ id: "a", notes: [], plan: "free" })
import { type AgentOptions, openAgent } from "../../../src/public/agent.ts"
const plain = definePrompt({ sections: { base: text("Hi.") } })
const some = definePrompt({ sections: { plan: perSession((s: { plan: string }) => s.plan) } })
const session = () => ({ notes: [], plan: "free" as const })
const turn = async ({ message }: { message: string }) => ({ tasks: [message], now: new Date() })

      openAgent({ prompt: support, inputs: { session, turn } })
      openAgent({ prompt: support, inputs: {
        session: ({ from }) => ({ notes: [], plan: from.as === "ada" ? "paid" : "free" }),
        turn: async ({ message }) => ({ tasks: [message], now: new Date() }) } })
      openAgent({ prompt: some, inputs: { session: () => ({ plan: "free" }) } })
      openAgent({ prompt: plain, state: "state" })
      openAgent({ workspace: "." })
      const options: AgentOptions = { workspace: "." }
      openAgent({ ...options, model: "offline" })
export {}
