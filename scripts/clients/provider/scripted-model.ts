// The model behind the fake provider: it does what the person's last message asks for, with whatever tools the client
// offers, and answers. It understands `Please run|read|write|plan: …`, `Please answer: …` and, for the tools of MCP servers,
// `Please call: NAME {…}`.
import type { Format } from "../../../src/capture/call.ts"
import { objectAt, objectsOf } from "./wire-blocks.ts"

type Json = Readonly<Record<string, unknown>>

export interface ToolCall {
  readonly name: string
  readonly input: Json
  /** Of a tool that stands in one. */
  readonly namespace?: string | undefined
  /** For a tool that takes text instead of JSON. */
  readonly code?: string | undefined
}

export interface Reply {
  readonly text: string
  readonly call?: ToolCall | undefined
}

interface Tool {
  readonly name: string
  readonly properties: Json
  readonly isCode: boolean
  readonly namespace?: string | undefined
}

interface Said {
  readonly isModel: boolean
  readonly texts: readonly string[]
  /** Other than searches for tools. */
  readonly calls: number
  readonly searches?: number
}

/** What the model does with a request; `folder` is where the client works. */
export function answerTo(body: Json, format: Format, folder: string): Reply {
  const { tools, said } = VIEWS[format](body)
  const at = said.findLastIndex(({ isModel, texts }) => !isModel && texts.some((text) => taskIn(text)))
  const task = said[at]?.texts.map(taskIn).find((found) => found !== undefined)
  if (task === undefined || tools.length === 0) return { text: "All right." }
  const since = said.slice(at + 1).filter(({ isModel }) => isModel)
  const isDone = since.some(({ calls }) => calls > 0)
  const hasSearched = since.some(({ searches = 0 }) => searches > 0)
  const call = isDone ? undefined : callFor(task, { tools, folder, hasSearched })
  return call === undefined ? { text: `Done: ${task.verb}.` } : { text: "One moment.", call }
}

interface Task {
  readonly verb: string
  readonly what: string
}

function taskIn(text: string): Task | undefined {
  // Some clients put the time before what was typed.
  const found = /^\s*"?(?:\[[^\]\n]*\] )?Please (run|read|write|plan|answer|call): ([^\n]*?)"?(?:\n|$)/.exec(
    text,
  )
  return found === null ? undefined : { verb: found[1] ?? "", what: found[2] ?? "" }
}

const SHELLS = ["Bash", "bash", "run_shell_command", "exec_command", "shell_command", "shell", "exec"]
const READERS = ["Read", "read", "read_file", "mcp__harbour__read"]
const WRITERS = ["Write", "write", "write_file"]

interface Means {
  readonly tools: readonly Tool[]
  readonly folder: string
  readonly hasSearched: boolean
}

function callFor({ verb, what }: Task, { tools, folder, hasSearched }: Means): ToolCall | undefined {
  const find = (names: readonly string[]) =>
    names.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined)
  const shell = find(SHELLS)
  if (verb === "read") {
    const tool = find(READERS)
    if (tool !== undefined) return { name: tool.name, input: { [pathField(tool)]: `${folder}/${what}` } }
    return shell && shellCall(shell, `cat '${what}'`)
  }
  if (verb === "write") {
    const tool = find(WRITERS)
    if (tool !== undefined)
      return { name: tool.name, input: { [pathField(tool)]: `${folder}/${what}`, content: "one line\n" } }
    return shell && shellCall(shell, `echo 'one line' > '${what}'`)
  }
  if (verb === "call") return serverCall(what, tools) ?? (hasSearched ? undefined : searchFor(what, tools))
  return verb === "run" && shell !== undefined ? shellCall(shell, what) : undefined
}

/** Clients put the server before the name that it gave the tool. */
function serverCall(what: string, tools: readonly Tool[]): ToolCall | undefined {
  const [, name = "", input = "{}"] = /^(\w+) ?(.*)$/.exec(what) ?? []
  const whole = (tool: Tool) => (tool.namespace === undefined ? tool.name : `${tool.namespace}__${tool.name}`)
  const tool = tools.find((one) => /^mcp_+incipit_/.test(whole(one)) && one.name.endsWith(name))
  return tool && { name: tool.name, namespace: tool.namespace, input: JSON.parse(input || "{}") }
}

/** Some clients tell a model of such tools only when it looks for them. */
function searchFor(what: string, tools: readonly Tool[]): ToolCall | undefined {
  const tool = tools.find(({ name }) => SEARCHES.includes(name))
  const query = what.replace(/ .*/, "")
  if (tool?.name === "ToolSearch")
    return { name: tool.name, input: { query: `select:mcp__incipit__${query}`, max_results: 5 } }
  return tool && { name: tool.name, input: { query: `incipit ${query}`, limit: 8 } }
}

const SEARCHES = ["ToolSearch", "tool_search"]

function pathField({ properties }: Tool): string {
  return ["file_path", "filePath", "absolute_path", "path"].find((name) => name in properties) ?? "path"
}

function shellCall({ name, properties, isCode }: Tool, command: string): ToolCall {
  if (isCode) {
    const code = `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)} }); text(typeof r === "string" ? r : JSON.stringify(r));`
    return { name, input: {}, code }
  }
  const field = ["command", "cmd"].find((known) => known in properties) ?? "command"
  const isList = objectAt(properties, field).type === "array"
  return {
    name,
    input: {
      [field]: isList ? ["bash", "-lc", command] : command,
      ...("description" in properties && { description: "Look around" }),
    },
  }
}

interface View {
  readonly tools: readonly Tool[]
  readonly said: readonly Said[]
}

const VIEWS: Readonly<Record<Format, (body: Json) => View>> = {
  anthropic: (body) => ({
    tools: objectsOf(body.tools).map((tool) => toolOf(tool.name, objectAt(tool, "input_schema"))),
    said: objectsOf(body.messages).map(({ role, content }) => {
      const parts = typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content)
      const calls = parts.filter(({ type }) => type === "tool_use")
      const searches = calls.filter(({ name }) => SEARCHES.includes(String(name))).length
      return { ...saidBy(role === "assistant", textsIn(parts), calls.length - searches), searches }
    }),
  }),
  "openai-responses": (body) => {
    const items =
      typeof body.input === "string" ? [{ role: "user", content: body.input }] : objectsOf(body.input)
    const offered = [
      ...objectsOf(body.tools),
      ...items
        .filter(({ type }) => type === "additional_tools" || type === "tool_search_output")
        .flatMap((item) => objectsOf(item.tools)),
    ]
    // A request for a title asks for JSON and offers tools all the same.
    const tools = objectAt(body, "text").format === undefined ? offered : []
    return {
      tools: tools.flatMap((tool) =>
        tool.type === "namespace"
          ? objectsOf(tool.tools).map((one) => responsesTool(one, String(tool.name)))
          : [responsesTool(tool)],
      ),
      said: items.map((item) => {
        if (item.type === "tool_search_call") return { ...saidBy(true, [], 0), searches: 1 }
        if (/_call$/.test(String(item.type))) return saidBy(true, [], 1)
        const parts = typeof item.content === "string" ? [{ text: item.content }] : objectsOf(item.content)
        return saidBy(item.role === "assistant", textsIn(parts), 0)
      }),
    }
  },
  "openai-chat": (body) => ({
    tools: objectsOf(body.tools)
      .map((tool) => objectAt(tool, "function"))
      .map((tool) => toolOf(tool.name, objectAt(tool, "parameters"))),
    said: objectsOf(body.messages).map(({ role, content, tool_calls }) => {
      const parts = typeof content === "string" ? [{ text: content }] : objectsOf(content)
      return saidBy(role === "assistant", textsIn(parts), objectsOf(tool_calls).length)
    }),
  }),
  google: (body) => ({
    tools: objectsOf(body.tools)
      .flatMap((tool) => objectsOf(tool.functionDeclarations))
      .map((tool) =>
        toolOf(
          tool.name,
          objectAt(tool, "parametersJsonSchema" in tool ? "parametersJsonSchema" : "parameters"),
        ),
      ),
    said: objectsOf(body.contents).map(({ role, parts }) => {
      const list = objectsOf(parts)
      return saidBy(role === "model", textsIn(list), list.filter((part) => "functionCall" in part).length)
    }),
  }),
}

function responsesTool(tool: Json, namespace?: string): Tool {
  const named = toolOf(tool.name ?? tool.type, objectAt(tool, "parameters"))
  return { ...named, isCode: tool.type === "custom", namespace }
}

function toolOf(name: unknown, schema: Json): Tool {
  return { name: String(name), properties: objectAt(schema, "properties"), isCode: false }
}

function saidBy(isModel: boolean, texts: readonly string[], calls: number): Said {
  return { isModel, texts, calls }
}

function textsIn(parts: readonly Json[]): readonly string[] {
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []))
}
