// The tools of the suite that ask the client for something. In the protocol of 2026-07-28 they answer with what they need
// and are called again; in those of 2025 the package sends the same questions over the connection.
import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import { said } from "./contents.ts"
import { DESCRIPTION } from "./tools.ts"

/** Seals the state of a call between its rounds. */
export const STATE = createRequestStateCodec<string>({ key: crypto.getRandomValues(new Uint8Array(32)) })

const NAME = z.object({ name: z.string() })
const COLOR = z.object({ color: z.string() })
const OK = z.object({ ok: z.boolean() })

export function offerAskingTools(server: McpServer): void {
  const offer = (name: string, run: (context: ServerContext) => Answer | Promise<Answer>) =>
    server.registerTool(name, { description: DESCRIPTION, inputSchema: z.object({}) }, (_input, context) =>
      run(context),
    )
  const prefix = "test_input_required_result"
  offer(`${prefix}_elicitation`, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "user_name", NAME)
    return given === undefined
      ? inputRequired({ inputRequests: { user_name: ASK_NAME } })
      : said(`Hello, ${given.name}!`)
  })
  offer("test_streaming_elicitation", () => inputRequired({ inputRequests: { user_name: ASK_NAME } }))
  // A client that did not declare that it can sample gets an error from the package.
  offer("test_missing_capability", () =>
    inputRequired({ inputRequests: { capital: sampled("What is the capital of France?", 100) } }),
  )
  offer(`${prefix}_sampling`, ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, "capital_question")
    if (given.kind === "sampling") return said(JSON.stringify(given.result.content))
    return inputRequired({
      inputRequests: { capital_question: sampled("What is the capital of France?", 100) },
    })
  })
  offer(`${prefix}_list_roots`, ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, "client_roots")
    if (given.kind === "roots") return said(JSON.stringify(given.roots))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  for (const name of [`${prefix}_request_state`, `${prefix}_tampered_state`])
    offer(name, async ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, "confirm", OK)
      if (given !== undefined && mcpReq.requestState<string>() === name) return said("state-ok")
      const confirm = inputRequired.elicit({ message: "Please confirm", requestedSchema: OK })
      return inputRequired({ inputRequests: { confirm }, requestState: await STATE.mint(name) })
    })
  offer(`${prefix}_multiple_inputs`, async ({ mcpReq }) => {
    const keys = Object.keys(mcpReq.inputResponses ?? {})
    if (["user_name", "greeting", "client_roots"].every((key) => keys.includes(key)))
      return said("All are here.")
    return inputRequired({
      inputRequests: {
        user_name: ASK_NAME,
        greeting: sampled("Generate a greeting", 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await STATE.mint("asked"),
    })
  })
  offer(`${prefix}_multi_round`, severalRounds)
  offer(`${prefix}_capabilities`, () => {
    const declared = server.server.getClientCapabilities()
    const inputRequests = {
      ...(declared?.sampling !== undefined && { capital: sampled("What is the capital of France?", 100) }),
      ...(declared?.elicitation !== undefined && { user_name: ASK_NAME }),
    }
    return inputRequired({ inputRequests })
  })
  offerPushingTools(server)
}

type Answer = ReturnType<typeof said> | InputRequiredResult

const ASK_NAME = inputRequired.elicit({ message: "What is your name?", requestedSchema: NAME })

function sampled(text: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens,
  })
}

async function severalRounds({ mcpReq }: ServerContext) {
  const [named, colored] = [
    acceptedContent(mcpReq.inputResponses, "step1", NAME),
    acceptedContent(mcpReq.inputResponses, "step2", COLOR),
  ]
  const state = mcpReq.requestState<string>()
  if (state === "step2" && colored !== undefined) return said(`The colour is ${colored.color}.`)
  if (state === "step1" && named !== undefined) {
    const step2 = inputRequired.elicit({
      message: "Step 2: What is your favorite color?",
      requestedSchema: COLOR,
    })
    return inputRequired({ inputRequests: { step2 }, requestState: await STATE.mint("step2") })
  }
  const step1 = inputRequired.elicit({ message: "Step 1: What is your name?", requestedSchema: NAME })
  return inputRequired({ inputRequests: { step1 }, requestState: await STATE.mint("step1") })
}

/** Only in the protocols of 2025. */
function offerPushingTools(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: DESCRIPTION, inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      })
      return said(`LLM response: ${JSON.stringify(content)}`)
    },
  )
  const message = { description: DESCRIPTION, inputSchema: z.object({ message: z.string() }) }
  server.registerTool("test_elicitation", message, async (input, { mcpReq }) => {
    const requestedSchema = {
      type: "object" as const,
      properties: { username: { type: "string" as const }, email: { type: "string" as const } },
      required: ["username", "email"],
    }
    return answered(await mcpReq.elicitInput({ message: input.message, requestedSchema }))
  })
  for (const [name, properties] of [
    ["test_elicitation_sep1034_defaults", DEFAULTS],
    ["test_elicitation_sep1330_enums", ENUMS],
  ] as const)
    server.registerTool(
      name,
      { description: DESCRIPTION, inputSchema: z.object({}) },
      async (_input, { mcpReq }) =>
        answered(
          await mcpReq.elicitInput({
            message: "Please fill in the form",
            requestedSchema: { type: "object", properties: { ...properties } },
          }),
        ),
    )
}

function answered({ action, content }: { action: string; content?: unknown }) {
  return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
}

const DEFAULTS = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
} as const

const UNTITLED = { type: "string" as const, enum: ["option1", "option2", "option3"] }
const TITLED = [
  { const: "value1", title: "First" },
  { const: "value2", title: "Second" },
  { const: "value3", title: "Third" },
]

const ENUMS = {
  untitledSingle: UNTITLED,
  titledSingle: { type: "string" as const, oneOf: TITLED },
  legacyEnum: {
    type: "string" as const,
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array" as const, items: UNTITLED },
  titledMulti: { type: "array" as const, items: { anyOf: TITLED } },
}
