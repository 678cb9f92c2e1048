// `memory_search`: short texts from memory with location and token count, limited to what the caller may see.
import { authoredLine } from "../../core/view/authorship.ts"
import type { Hit, SearchResult } from "../../memory/search.ts"
import { MEMORY_SEARCH } from "../../profiles/incipit/tools/memory.ts"
import { bare, quoted } from "../../record/ask/log.ts"
import { type Answer, answered, type Line, sentenceAnswer } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import { sightOf, type ToolContext } from "../tool-context.ts"
import type { ToolInput } from "../tool-input.ts"
import { linesText, markedLines, oneThing } from "./memory-lines.ts"

type Input = ToolInput<typeof MEMORY_SEARCH.parameters>

export const memorySearchTool = defineTool({
  ...MEMORY_SEARCH,
  run: (input, context) => answered(MEMORY_SEARCH.name, context, () => search(input, context)),
})

async function search({ query, limit, budget }: Input, context: ToolContext): Promise<Answer> {
  const { memory, trust, now } = context
  if (memory === undefined) return sentenceAnswer("There is no memory here.")
  const start = now()
  await memory.catchUp?.({ trust })
  const result = memory.search(query, {
    trust,
    ...(limit !== undefined && { limit }),
    ...(budget !== undefined && { budget }),
  })
  tell(query, result, context, Math.max(0, now() - start))
  const { hits, more } = result
  return {
    head: [headOf(result, context)],
    lines: hits.flatMap(hitLines),
    more: more?.count ?? 0,
    moreTokens: more?.tokens ?? 0,
    noun: "hit",
    narrow: "raise the limit or budget, or narrow the query",
  }
}

function tell(query: string, result: SearchResult, { scope }: ToolContext, durationMs: number): void {
  const { status, reason, hits, tokens } = result
  const stores = [...new Set(hits.map(({ path }) => path.split("/")[0]))].join(",")
  const isTrouble = status === "error" || status === "degraded"
  scope?.event("memory_search", {
    durationMs,
    data: { query, status, results: hits.length, tokens, ...(stores !== "" && { stores }) },
    ...(isTrouble && { level: "warn", error: reason ?? status }),
  })
}

function headOf({ status, reason, hits, more }: SearchResult, context: ToolContext): string {
  if (status === "empty") return "status=empty: nothing in memory matches."
  // The error may quote a path of the machine, so it is for the owner.
  const isShown = status === "stale" || sightOf(context) === undefined
  const why = reason !== undefined && isShown ? ` reason=${quoted(reason)}` : ""
  const unsigned = hits.some(({ provenance }) => provenance === undefined)
    ? " (without by=: no author recorded)"
    : ""
  return `status=${status} found=${hits.length + (more?.count ?? 0)}${why}${unsigned}`
}

function hitLines({ path, lines, date, tokens, heading, text, provenance }: Hit): readonly Line[] {
  const head = [
    `${bare(path)}:${linesText(lines)}`,
    ...(date === undefined ? [] : [`date=${date}`]),
    `tokens=${tokens}`,
    ...(heading === "" ? [] : [`heading=${quoted(heading)}`]),
    ...(provenance === undefined ? [] : [`by=${bare(provenance.by)} trust=${provenance.trust}`]),
  ].join(" ")
  const body = text
    .split("\n")
    .flatMap((line) => markedLines(authoredLine(line), { first: "  ", next: "  ... " }))
  return oneThing([head, ...body], tokens)
}
