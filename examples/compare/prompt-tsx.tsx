// The task with prompt-tsx and the OpenAI SDK. The prompt is a tree, and what has the lowest priority is pruned until
// the rest fits. `references` let it tell which parts were pruned.
import { readdir, readFile } from "node:fs/promises"
import {
  AssistantMessage,
  type BasePromptElementProps,
  type ITokenizer,
  OutputMode,
  PromptElement,
  PromptReference,
  PromptRenderer,
  Raw,
  type RenderPromptResult,
  SystemMessage,
  TextChunk,
  ToolMessage,
  UserMessage,
} from "@vscode/prompt-tsx"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import OpenAI from "openai"
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions"
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
  type TurnInput,
} from "./task.ts"

const LEVELS = ["public", "familiar", "inner", "full"] as const

interface SupportProps extends BasePromptElementProps, TurnInput {
  readonly rules: readonly { readonly name: string; readonly text: string }[]
  readonly notes: readonly string[]
  readonly before: readonly ChatCompletionMessageParam[]
  readonly steps: readonly ChatCompletionMessageParam[]
}

class SupportPrompt extends PromptElement<SupportProps> {
  override render() {
    const { rules, notes, tasks, now, question, before, steps } = this.props
    return (
      <>
        <SystemMessage priority={100}>
          <TextChunk priority={100}>{`${BASE}\n\n`}</TextChunk>
          {rules.map(({ name, text }) => (
            <TextChunk priority={80}>
              {`<rules file="${name}">\n${text}</rules>\n\n`}
              <references value={[new PromptReference({ variableName: `rules/${name}` })]} />
            </TextChunk>
          ))}
          <TextChunk priority={90}>{`<notes>\n${notes.join("\n")}\n</notes>`}</TextChunk>
        </SystemMessage>
        <Conversation priority={80} messages={before} />
        <UserMessage priority={50}>
          {tasks.map((task, at) => (
            <TextChunk priority={tasks.length - at}>
              {`- ${task}\n`}
              <references value={[new PromptReference({ variableName: `task ${at + 1}` })]} />
            </TextChunk>
          ))}
        </UserMessage>
        <UserMessage priority={100}>{`It is ${now.toISOString()}.\n\n${question}`}</UserMessage>
        <Conversation priority={100} messages={steps} />
      </>
    )
  }
}

interface ConversationProps extends BasePromptElementProps {
  readonly messages: readonly ChatCompletionMessageParam[]
}

class Conversation extends PromptElement<ConversationProps> {
  override render() {
    return (
      <>
        {this.props.messages.map((message) => {
          const text = String(message.content ?? "")
          if (message.role === "tool")
            return <ToolMessage toolCallId={message.tool_call_id}>{text}</ToolMessage>
          if (message.role === "user") return <UserMessage>{text}</UserMessage>
          const calls =
            message.role === "assistant" ? message.tool_calls?.filter((one) => one.type === "function") : []
          return <AssistantMessage toolCalls={calls ?? []}>{text}</AssistantMessage>
        })}
      </>
    )
  }
}

const tokenizer: ITokenizer<OutputMode.OpenAI> = {
  mode: OutputMode.OpenAI,
  tokenLength: (part) => (part.type === Raw.ChatCompletionContentPartKind.Text ? countTokens(part.text) : 0),
  // Three more tokens for each message, as OpenAI counts.
  countMessageTokens: ({ content }) => countTokens(typeof content === "string" ? content : "") + 3,
}

export async function run(baseURL: string): Promise<Answers> {
  const client = new OpenAI({ baseURL, apiKey: "none" })
  const names = (await readdir(RULES)).filter((name) => name.endsWith(".md")).sort()
  const rules = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(new URL(`rules/${name}`, RULES), "utf8") })),
  )
  const seen = NOTES.filter(({ trust }) => LEVELS.indexOf(trust) <= LEVELS.indexOf(CUSTOMER.trust))
  const notes = seen.map(({ text }) => text)
  const rendered: RenderPromptResult<OutputMode.OpenAI>[] = []
  const before: ChatCompletionMessageParam[] = []
  for (const turn of TURNS) {
    const steps: ChatCompletionMessageParam[] = []
    for (;;) {
      const props = { ...turn, rules, notes, before, steps }
      // Its limit is for the whole prompt, so the conversation gets room of its own.
      const said = [...before, ...steps].map(({ content }) => countTokens(String(content ?? "")) + 3)
      const endpoint = { modelMaxPromptTokens: said.reduce((sum, tokens) => sum + tokens, BUDGET) }
      const prompt = await new PromptRenderer(endpoint, SupportPrompt, props, tokenizer).render()
      rendered.push(prompt)
      const { choices } = await client.chat.completions.create({
        model: MODEL,
        // The library's roles are an enum of the same strings.
        messages: prompt.messages as ChatCompletionMessageParam[],
        tools: [{ type: "function", function: { ...TOOL } }],
      })
      const message = choices[0]?.message
      if (message === undefined) throw new Error("no answer")
      steps.push(message)
      const calls = message.tool_calls?.filter((call) => call.type === "function") ?? []
      if (calls.length === 0) break
      for (const { id, function: call } of calls)
        steps.push({ role: "tool", tool_call_id: id, content: lookUpOrder(JSON.parse(call.arguments)) })
    }
    before.push({ role: "user", content: turn.question }, ...steps)
  }
  return answers(rendered[4])
}

// What it can answer: the names that the program gave to the parts that were pruned, and to those that were not.
function answers(prompt: RenderPromptResult<OutputMode.OpenAI> | undefined): Answers {
  const [omitted = [], kept = []] = [prompt?.omittedReferences, prompt?.references].map((references) =>
    references?.map(({ anchor }) => ("variableName" in anchor ? anchor.variableName : "")),
  )
  return {
    leftOut: `${omitted[0]} to ${omitted.at(-1)}, as the program named them`,
    source: `${kept.find((name) => name.includes("refunds"))}, as the program named it`,
  }
}
