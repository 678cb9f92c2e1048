// What a client can read and attach: the prompt of the workspace, the files in it, and recorded calls.
import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from "@modelcontextprotocol/server"
import { visible } from "../../../core/model/plan.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import { report } from "../../../core/read/report.ts"
import { isOperator } from "../../api/operator.ts"
import type { McpServing, McpView } from "../mcp-view.ts"
import { guarded } from "../told-of-failure.ts"
import { pageOf } from "./list-page.ts"
import { seenWorkspace } from "./seen-workspace.ts"

const MARKDOWN = "text/markdown"
const JSON_TYPE = "application/json"

const PROMPT = {
  ...{ uri: "incipit://prompt", name: "prompt" },
  ...{ title: "The prompt of this workspace", mimeType: MARKDOWN },
}
const REPORT = {
  ...{ uri: "incipit://prompt/report", name: "report" },
  ...{ title: "Its build report", mimeType: JSON_TYPE },
}
const FILES = "incipit://files/"
/** A whole request may be larger than what a client wants to hold. */
const MOST_CHARACTERS = 1_000_000

export function offerResources(server: McpServer, serving: McpServing): void {
  const { view, failed } = serving
  const promptText = guarded(failed, async ({ href }: URL) =>
    textAnswer(href, (await seenPrompt(view())).text, MARKDOWN),
  )
  server.registerResource(PROMPT.name, PROMPT.uri, PROMPT, promptText)
  const promptReport = guarded(failed, async ({ href }: URL) =>
    jsonAnswer(href, report(await seenPrompt(view()))),
  )
  server.registerResource(REPORT.name, REPORT.uri, REPORT, promptReport)
  const files = new ResourceTemplate(`${FILES}{+path}`, { list: undefined })
  const about = { title: "A file of the prompt", mimeType: MARKDOWN }
  const file = guarded(failed, async ({ href }: URL) => fileAnswer(view(), href))
  server.registerResource("file", files, about, file)
  const calls = new ResourceTemplate("incipit://calls/{id}", { list: undefined })
  const call = guarded(failed, ({ href }: URL, { id }: Variables) => callAnswer(view(), href, String(id)))
  server.registerResource("call", calls, { title: "What a call sent", mimeType: JSON_TYPE }, call)
  listInPages(server, serving)
}

async function fileAnswer(view: McpView, uri: string): Promise<ReadResourceResult> {
  const { files } = await seenWorkspace(view)
  const file = files.find(({ path }) => fileUri(path) === uri)
  if (file === undefined) throw new ResourceNotFoundError(uri)
  return textAnswer(uri, file.text, MARKDOWN)
}

/** As far as the asker may see it. */
async function seenPrompt(view: McpView): Promise<Prompt> {
  const { prompt } = await view.compile({})
  return isOperator(view.reader) ? prompt : { ...prompt, plan: visible(prompt.plan) }
}

/** The package lists all at once; a workspace may have thousands of files. */
function listInPages({ server }: McpServer, { view, failed }: McpServing): void {
  server.setRequestHandler(
    "resources/list",
    guarded(failed, async ({ params }) => {
      const { files } = await seenWorkspace(view())
      const shown = files.map(({ path }) => ({ uri: fileUri(path), name: path, mimeType: MARKDOWN }))
      const { page, ...next } = pageOf([PROMPT, REPORT, ...shown], params?.cursor)
      return { resources: page, ...next }
    }),
  )
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
    if (whole.length <= MOST_CHARACTERS) return textAnswer(uri, whole, JSON_TYPE)
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
  return textAnswer(uri, JSON.stringify(value), JSON_TYPE)
}

function textAnswer(uri: string, text: string, mimeType: string): ReadResourceResult {
  return { contents: [{ uri, text, mimeType }] }
}
