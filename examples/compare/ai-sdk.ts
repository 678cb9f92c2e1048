// The task with the AI SDK: an agent whose instructions are made anew for each message. It has no budgets, so the
// program counts tokens itself and leaves out the last tasks until the text fits.
import { readdir, readFile } from "node:fs/promises"
import { createOpenAI } from "@ai-sdk/openai"
import { type ModelMessage, ToolLoopAgent, tool } from "ai"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { z } from "zod"
import {
  type Answers,
  BASE,
  BUDGET,
  CUSTOMER,
  lookUpOrder,
  MODEL,
  NOTES,
  RULES,
  TOOL,
  TURNS,
} from "./task.ts"

const LEVELS = ["public", "familiar", "inner", "full"] as const

export async function run(baseURL: string): Promise<Answers> {
  const names = (await readdir(RULES)).filter((name) => name.endsWith(".md")).sort()
  const rules = await Promise.all(names.map((name) => readFile(new URL(`rules/${name}`, RULES), "utf8")))
  const seen = NOTES.filter(({ trust }) => LEVELS.indexOf(trust) <= LEVELS.indexOf(CUSTOMER.trust))
  const notes = seen.map(({ text }) => text).join("\n")

  const instructionsFor = (tasks: readonly string[], now: Date) =>
    [
      BASE,
      `<rules>\n${rules.join("\n")}</rules>`,
      `<notes>\n${notes}\n</notes>`,
      `<tasks>\n${tasks.join("\n")}\n</tasks>`,
      `<clock>\n${now.toISOString()}\n</clock>`,
    ].join("\n\n")

  const dropped: number[] = []
  const agent = new ToolLoopAgent({
    model: createOpenAI({ baseURL, apiKey: "none" })(MODEL),
    tools: {
      [TOOL.name]: tool({
        description: TOOL.description,
        inputSchema: z.strictObject({ id: z.string().describe("Such as A17.") }),
        execute: lookUpOrder,
      }),
    },
    callOptionsSchema: z.object({ tasks: z.array(z.string()), now: z.date() }),
    prepareCall: ({ options: { tasks, now }, ...settings }) => {
      let kept = tasks.length
      while (kept > 0 && countTokens(instructionsFor(tasks.slice(0, kept), now)) > BUDGET) kept -= 1
      dropped.push(tasks.length - kept)
      return { ...settings, instructions: instructionsFor(tasks.slice(0, kept), now) }
    },
  })

  const messages: ModelMessage[] = []
  for (const { question, tasks, now } of TURNS) {
    messages.push({ role: "user", content: question })
    const { responseMessages } = await agent.generate({ messages, options: { tasks: [...tasks], now } })
    messages.push(...responseMessages)
  }
  return answers(dropped[2])
}

// What it can answer: what the program counted itself.
function answers(dropped = 0): Answers {
  return { leftOut: `the last ${dropped} tasks, as the program counted` }
}
