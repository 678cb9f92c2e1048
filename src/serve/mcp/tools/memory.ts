// `memory`: finds, reads and adds, within the asker's trust.
import type { Trust } from "../../../base/trust.ts"
import { authoredLine } from "../../../core/view/authorship.ts"
import type { Hit } from "../../../memory/search.ts"
import { MEMORY } from "../definitions.ts"
import type { McpView, OwnMemory } from "../mcp-view.ts"
import { ABOUT_ANSWER, fields, listOf, NUMBER, RANGE, TEXT } from "./answer-schema.ts"
import { badInput, type Found, type McpCall, mcpTool } from "./mcp-tool.ts"

/** Of the text of all hits. */
const SEARCH_TOKENS = 1_200

const hit = fields(
  { path: TEXT, lines: RANGE, date: TEXT, heading: TEXT, by: TEXT, trust: TEXT, tokens: NUMBER, text: TEXT },
  ["date", "heading", "by", "trust"],
)

export const memoryTool = mcpTool(MEMORY, {
  answer: fields(
    {
      ...{ status: TEXT, reason: TEXT, path: TEXT, hits: listOf(hit), lines: listOf(TEXT) },
      ...ABOUT_ANSWER,
    },
    ["reason", "path", "hits", "lines", "left"],
  ),
  run(input, call) {
    if (input.do === "write") return write(input, call)
    return input.do === "get" ? get(input, call) : search(input, call)
  },
})

interface Asked {
  readonly query?: string | undefined
  readonly path?: string | undefined
  readonly from?: number | undefined
  readonly text?: string | undefined
  readonly limit?: number | undefined
}

function search({ query, limit }: Asked, { view }: McpCall): Promise<Found> {
  if (query === undefined) throw badInput("to search, give a query")
  return reading(view, ({ memory }, trust) => {
    const options = { trust, budget: SEARCH_TOKENS, ...(limit !== undefined && { limit }) }
    const { status, reason, hits, more } = memory.search(query, options)
    return {
      // The reason may quote a path of the machine, so it is for those who may see everything.
      data: { status, ...(trust === "full" && { reason }), hits: hits.map(shownHit) },
      ...{ lists: ["hits"], left: more?.count ?? 0, how: "narrow the query, or raise the limit" },
    }
  })
}

function shownHit({ path, lines, date, heading, tokens, text, provenance }: Hit) {
  return {
    ...{ path, lines, date, tokens },
    ...(heading !== "" && { heading }),
    ...(provenance !== undefined && { by: provenance.by, trust: provenance.trust }),
    text: text.split("\n").map(authoredLine).join("\n"),
  }
}

function get({ path, from, limit }: Asked, { view }: McpCall): Promise<Found> {
  if (path === undefined) throw badInput("to get a file, give its path")
  return reading(view, ({ memory }, trust) => {
    const options = {
      trust,
      ...(from !== undefined && { from }),
      ...(limit !== undefined && { lines: limit }),
    }
    const found = memory.get(path, options)
    if (found.status !== "ok") throw badInput(`${found.reason}: ${path}`)
    const [first, last] = found.lines
    const lines = last < first ? [] : found.text.split("\n")
    return {
      data: { status: "ok", path, lines: lines.map((line, at) => `${first + at}: ${authoredLine(line)}`) },
      ...{ lists: ["lines"], left: found.rest?.lines ?? 0, how: "continue with a later from" },
    }
  })
}

function write({ text, path }: Asked, { view }: McpCall): Promise<Found> {
  if (text === undefined) throw badInput("to write, give the text")
  const { trust } = view.reader
  return view.writableMemory(async ({ memory, by }) => {
    const place = path === undefined ? {} : { path }
    const result = await memory.write(text, { trust, by, now: view.now(), ...place })
    if (result.status === "refused") throw badInput(`not written: ${result.reason}`)
    return { data: { status: "written", path: `${result.path}:${result.lines[0]}` } }
  })
}

function reading(
  { memory, reader: { trust } }: McpView,
  ask: (opened: OwnMemory, trust: Trust) => Found,
): Promise<Found> {
  return memory(async (opened) => {
    await opened.memory.catchUp?.({ trust })
    return ask(opened, trust)
  })
}
