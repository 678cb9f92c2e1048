// The task with Incipit and the OpenAI SDK.
import { definePrompt, type Plan, perSession, perTurn, type TurnReport, text } from "incipit"
import { files } from "incipit/sources"
import OpenAI from "openai"
import {
  type Answers,
  BASE,
  BUDGET,
  CUSTOMER,
  lookUpOrder,
  MODEL,
  NOTES,
  type Note,
  RULES,
  TOOL,
  TURNS,
} from "./task.ts"

const support = definePrompt({
  budget: BUDGET,
  tools: [TOOL],
  sections: {
    base: text(BASE, { priority: "required" }),
    rules: files(RULES, { priority: "high" }),
    notes: perSession((session: { notes: readonly Note[] }) => session.notes, { priority: "high" }),
    tasks: perTurn((turn: { tasks: readonly string[] }) => turn.tasks),
    clock: perTurn((turn: { now: Date }) => turn.now.toISOString(), { priority: "high" }),
  },
})

export async function run(baseURL: string): Promise<Answers> {
  const client = new OpenAI({ baseURL, apiKey: "none" })
  const chat = support.open({ ...CUSTOMER, notes: NOTES })
  const done: Done[] = []
  for (const { question, tasks, now } of TURNS) {
    chat.say(question, { tasks, now })
    for (;;) {
      const calls = chat.add((await client.responses.create(chat.openai(MODEL))).output)
      if (calls.length === 0) break
      chat.answer(calls.map(({ id, input }) => ({ id, output: lookUpOrder(input as { id: string }) })))
    }
    done.push({ report: chat.report(), plan: chat.plan })
  }
  return answers(done[2])
}

// What it can answer: the report and the plan of a turn.
interface Done {
  readonly report: TurnReport
  readonly plan: Plan | undefined
}

function answers(done: Done | undefined): Answers {
  const { sections = [], withheld = [], diagnostics = [] } = done?.report ?? {}
  const short = sections.filter(({ outcome }) => outcome === "truncated" || outcome === "dropped")
  const files = done?.plan?.entries.flatMap(({ spans }) => spans.map(({ from }) => from)) ?? []
  const refunds = files.find((from) => from?.kind === "file" && from.path.includes("refunds"))
  return {
    leftOut: short.map(({ section, outcome }) => `${section}: ${outcome}`).join(", "),
    why: diagnostics.map(({ message }) => message).join(" "),
    withheld: withheld
      .map(({ section, needs }) => `a part of ${section}, which needs ${needs} trust`)
      .join(", "),
    source: refunds?.kind === "file" ? `${refunds.path}, lines ${refunds.lines.join(" to ")}` : undefined,
  }
}
