// Talks with the offline model as the agent's loop would: the prompt is compiled for every step, rendered for the AI SDK
// and sent through its `streamText`; what the tools give back is scripted. Not a test itself.

import { jsonSchema, streamText, type ToolSet, tool } from "ai"
import { sdkModel } from "../../../src/agent/models/sdk-model.ts"
import { offlineModel } from "../../../src/agent/offline/offline.ts"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { attach, type Sent } from "../../../src/core/layout/tail.ts"
import type { Session, Tool } from "../../../src/core/model/inputs.ts"
import { type Message, type MessagePart, userMessage } from "../../../src/core/model/message.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { renderAiSdk } from "../../../src/render/formats/ai-sdk.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

const MODEL = "anthropic/claude-sonnet-5-5"
const MOST_STEPS = 20

export interface Said {
  readonly say: string
  /** What the tools give back, in the order of the calls. */
  readonly results?: readonly (string | { readonly error: string })[]
  readonly planMode?: boolean
  readonly inputs?: Readonly<Record<string, unknown>>
}

export interface Talk {
  readonly tools: readonly Tool[]
  readonly session?: Partial<Session>
  readonly mode?: Session["audience"]["mode"]
  readonly turns: readonly Said[]
}

/** The whole conversation as text, without what the compiler wrote into it. */
export async function talk({ tools, session = {}, mode = "full", turns }: Talk): Promise<string> {
  const compiler = createCompiler({ profile: incipit, counter: o200k })
  const workspace = openWorkspace("examples/lighthouse")
  const agent = gatherAgent(workspace, { tools }).value
  const gathered = gatherSession(workspace, { directory: "/work" }).value
  const head = compiler.head(agent, {
    ...gathered,
    audience: { ...gathered.audience, mode },
    ...session,
  })
  const lines: string[] = []
  let messages: readonly Message[] = []
  let sent: Sent | undefined
  for (const [at, { say, results = [], planMode, inputs }] of turns.entries()) {
    const moment = {
      id: `turn-${at}`,
      now: Date.UTC(2026, 5, 15, 7, at),
      timeZone: "UTC",
      message: say,
      ...(planMode && { planMode }),
      ...(inputs && { inputs }),
    }
    messages = [...messages, userMessage(say)]
    lines.push(`user: ${say}`)
    const left = [...results]
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const prompt = head.step(moment, sent === undefined ? {} : { sent })
      messages = attach(messages, prompt.tail)
      sent = prompt.sent
      const { request } = renderAiSdk(prompt, messages, { model: MODEL })
      const answer = streamText({
        ...request,
        model: sdkModel(offlineModel(), fetch),
        tools: toolSet(prompt.tools),
        maxRetries: 0,
      })
      const text = await answer.text
      const calls = await answer.toolCalls
      messages = [
        ...messages,
        {
          role: "assistant",
          parts: [
            ...(text === "" ? [] : [{ kind: "text", text } as const]),
            ...calls.map(
              ({ toolCallId: id, toolName: name, input }) =>
                ({ kind: "tool-call", id, name, input }) as const,
            ),
          ],
        },
      ]
      if (calls.length === 0) {
        lines.push(`assistant: ${text}`, "")
        break
      }
      const parts = calls.map(({ toolCallId: id, toolName, input }): MessagePart => {
        const result = left.shift() ?? { error: "the script has no result for this call" }
        const given = typeof result === "string" ? result : result.error
        lines.push(`${id} ${toolName} ${JSON.stringify(input)}`)
        lines.push(
          ...given
            .trimEnd()
            .split("\n")
            .map((line) => `  | ${line}`),
        )
        return {
          kind: "tool-result",
          id,
          text: given,
          ...(typeof result === "string" ? {} : { isError: true }),
        }
      })
      messages = [...messages, { role: "user", parts }]
    }
  }
  return `${lines.join("\n").trimEnd()}\n`
}

function toolSet(tools: readonly Tool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  )
}
