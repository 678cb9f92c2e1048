// What a client can read and attach: the prompt of the workspace, the files in it, and recorded calls.
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server"
import { visible } from "../../../core/model/plan.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import { report } from "../../../core/read/report.ts"
import { isOperator } from "../../api/operator.ts"
import type { McpView } from "../mcp-view.ts"
import { pageOf, seenWorkspace } from "./seen-workspace.ts"

const PROMPT = "incipit://prompt"
const REPORT = "incipit://prompt/report"
const FILES = "incipit://files/"
/** A whole request may be larger than what a client wants to hold. */
const MOST_CHARACTERS = 2_000_000

export function offerResources(server: McpServer, view: McpView): void {
  const markdown = { mimeType: "text/markdown" }
  const json = { mimeType: "application/json" }
  const prompt = { title: "The prompt of this workspace", ...markdown }
  server.registerResource("prompt", PROMPT, prompt, async ({ href }) =>
    textAnswer(href, (await seenPrompt(view)).text, markdown.mimeType),
  )
  const plan = { title: "Its build report", ...json }
  server.registerResource("report", REPORT, plan, async ({ href }) =>
    jsonAnswer(href, report(await seenPrompt(view))),
  )
  const files = new ResourceTemplate(`${FILES}{+path}`, { list: undefined })
  server.registerResource("file", files, { title: "A file of the prompt", ...markdown }, async ({ href }) => {
    const found = await seenWorkspace(view)
    const file = found.files.find(({ path }) => fileUri(path) === href)
    if (file === undefined) throw new ResourceNotFoundError(href)
    return textAnswer(href, file.text, markdown.mimeType)
  })
  const calls = new ResourceTemplate("incipit://calls/{id}", { list: undefined })
  server.registerResource("call", calls, { title: "What a call sent", ...json }, ({ href }, { id }) =>
    callAnswer(view, href, String(id)),
  )
  listInPages(server, view)
}

/** As far as the asker may see it. */
async function seenPrompt(view: McpView): Promise<Prompt> {
  const { prompt } = await view.compile({})
  return isOperator(view.reader) ? prompt : { ...prompt, plan: visible(prompt.plan) }
}

/** The package lists all at once; a workspace may have thousands of files. */
function listInPages({ server }: McpServer, view: McpView): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { files } = await seenWorkspace(view)
    const all = [
      { uri: PROMPT, name: "prompt", title: "The prompt of this workspace", mimeType: "text/markdown" },
      { uri: REPORT, name: "report", title: "Its build report", mimeType: "application/json" },
      ...files.map(({ path }) => ({ uri: fileUri(path), name: path, mimeType: "text/markdown" })),
    ]
    const found = pageOf(all, params?.cursor)
    if (found === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the cursor isn't one of this list")
    const { page, ...next } = found
    return { resources: [...page], ...next }
  })
}

function fileUri(path: string): string {
  return new URL(`${FILES}${path.split("/").map(encodeURIComponent).join("/")}`).href
}

async function callAnswer(view: McpView, uri: string, encoded: string): Promise<ReadResourceResult> {
  const id = decoded(encoded)
  for (const source of await view.sources()) {
    const found = id === undefined ? undefined : await source.call(view.reader, id)
    if (found === undefined) continue
    const whole = JSON.stringify(found)
    if (whole.length <= MOST_CHARACTERS) return textAnswer(uri, whole, "application/json")
    const note = `left out: ${whole.length} characters; \`incipit inspect\` shows all of it`
    return jsonAnswer(uri, { call: found.call, request: note })
  }
  throw new ResourceNotFoundError(uri)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

function jsonAnswer(uri: string, value: unknown): ReadResourceResult {
  return textAnswer(uri, JSON.stringify(value), "application/json")
}

function textAnswer(uri: string, text: string, mimeType: string): ReadResourceResult {
  return { contents: [{ uri, text, mimeType }] }
}
