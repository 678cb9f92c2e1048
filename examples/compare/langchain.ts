// The task with LangChain: an agent with a system prompt that is made anew before each call. `trimMessages` keeps what
// comes first until the tokens are used up, so the parts are in the order of their importance.
import { readdir, readFile } from "node:fs/promises"
import { SystemMessage, trimMessages } from "@langchain/core/messages"
import { MemorySaver } from "@langchain/langgraph"
import { ChatOpenAI } from "@langchain/openai"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { createAgent, dynamicSystemPromptMiddleware, tool } from "langchain"
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
const contextSchema = z.object({ tasks: z.array(z.string()), now: z.date() })

export async function run(baseURL: string): Promise<Answers> {
  const names = (await readdir(RULES)).filter((name) => name.endsWith(".md")).sort()
  const rules = await Promise.all(names.map((name) => readFile(new URL(`rules/${name}`, RULES), "utf8")))
  const seen = NOTES.filter(({ trust }) => LEVELS.indexOf(trust) <= LEVELS.indexOf(CUSTOMER.trust))
  const notes = seen.map(({ text }) => text).join("\n")
  const lengths: Lengths[] = []

  const systemPrompt = async ({ tasks, now }: z.infer<typeof contextSchema>) => {
    const clock = `It is ${now.toISOString()}.`
    const parts = [
      new SystemMessage({ name: "base", content: BASE }),
      new SystemMessage({ name: "rules", content: `<rules>\n${rules.join("\n")}</rules>` }),
      new SystemMessage({ name: "notes", content: `<notes>\n${notes}\n</notes>` }),
      new SystemMessage({ name: "tasks", content: `Tasks:\n${tasks.join("\n")}` }),
    ]
    const before = parts.map(({ name = "", text }) => ({ name, length: text.length }))
    const kept = await trimMessages(parts, {
      maxTokens: BUDGET - countTokens(clock),
      strategy: "first",
      allowPartial: true,
      textSplitter: (text) => text.split(/(?<=\n)/),
      tokenCounter: (messages) => messages.reduce((sum, { text }) => sum + countTokens(text), 0),
    })
    lengths.push({ before, after: kept.map(({ name = "", text }) => ({ name, length: text.length })) })
    return [...kept.map(({ text }) => text), clock].join("\n\n")
  }

  const agent = createAgent({
    model: new ChatOpenAI({ model: MODEL, apiKey: "none", configuration: { baseURL } }),
    tools: [
      tool(lookUpOrder, {
        name: TOOL.name,
        description: TOOL.description,
        schema: z.strictObject({ id: z.string().describe("Such as A17.") }),
      }),
    ],
    contextSchema,
    checkpointer: new MemorySaver(),
    middleware: [
      dynamicSystemPromptMiddleware<z.infer<typeof contextSchema>>((_state, { context }) =>
        systemPrompt(context),
      ),
    ],
  })

  for (const { question, tasks, now } of TURNS)
    await agent.invoke(
      { messages: [{ role: "user", content: question }] },
      { configurable: { thread_id: CUSTOMER.id }, context: { tasks: [...tasks], now } },
    )
  return answers(lengths[4])
}

// What it can answer: how the lengths of the parts differ before and after trimming.
interface Length {
  readonly name: string
  readonly length: number
}

interface Lengths {
  readonly before: readonly Length[]
  readonly after: readonly Length[]
}

function answers({ before, after }: Lengths = { before: [], after: [] }): Answers {
  const shorter = before.flatMap(({ name, length }) => {
    const missing = length - (after.find((part) => part.name === name)?.length ?? 0)
    return missing === 0 ? [] : `${missing} characters of ${name}`
  })
  return { leftOut: `${shorter.join(", ")}, as the program compared` }
}
