// Limits how much of the tools' results the model sees: each result within a limit, and all results of one step within
// a share of the window. The rest is stored where the model can read on, if it has a tool for that.
import { atLeast } from "../../../base/trust.ts"
import { inCountedTokens } from "../../../core/fit/budget.ts"
import type { ToolResult } from "../../../database/contract/runs.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { boundedOutput } from "../../../tools/bounded-output.ts"
import { readTool } from "../../../tools/files/read.ts"
import type { Services } from "../../setup/services.ts"
import type { Toolbox } from "../../setup/toolbox.ts"
import { roomOf } from "../prompt/room.ts"
import { save, type Work } from "../work.ts"

/** A result with the number of its run, which finds the rest again. */
export interface RunResult extends ToolResult {
  readonly run: string
}

/** What cutting results takes: the rest is kept in the store, if there is a tool to read it. */
export type ResultServices = Pick<Services, "toolbox" | "store">

/** More than any built-in tool returns. */
const MOST_TOKENS = 10_000
/** The share of it for tools that cut their answers themselves and know best where. */
const TOOL_SHARE = 0.8
/**
 * Share of the room for head, tools and conversation. The newest step is never summarised, so it must leave room for
 * the rest.
 */
const SHARE = 0.3
const SHARE_OF_FREE = 0.5
/** For the line about what was left out. */
const NOTE_TOKENS = 80
/** Less of a text is useless. */
const LEAST_TOKENS = 40

const ALONE = "it was too long"
const TOGETHER = "the results of this step were too long together"

/** The limit passed to a tool, if the window has less room than tools use by default. */
export function roomForTool(work: Work): { readonly mostTokens?: number } {
  const mostTokens = Math.floor(stepTokens(work) * TOOL_SHARE)
  return mostTokens < MOST_TOKENS * TOOL_SHARE ? { mostTokens } : {}
}

/** One result within its own limit. */
export async function withinResult(
  services: ResultServices,
  work: Work,
  { run, text, isError }: RunResult,
): Promise<ToolResult> {
  const most = Math.min(MOST_TOKENS, stepTokens(work))
  if (fits(text, most)) return { text, isError }
  return { text: await cut(services, work, { run, text, most, why: ALONE }), isError }
}

/** The results of one step within their common limit: short ones stay whole, the others get equal shares. */
export async function withinStep(
  services: ResultServices,
  work: Work,
  results: readonly RunResult[],
  most = stepTokens(work),
): Promise<readonly ToolResult[]> {
  if (results.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) <= most) return results
  const sizes = results.map(({ text }) => o200k.count(text))
  const share = equalShare(sizes, most)
  const made = await Promise.all(
    results.map(async ({ run, text, isError }, at) =>
      (sizes[at] ?? 0) <= share
        ? { text, isError }
        : { text: await cut(services, work, { run, text, most: share, why: TOGETHER }), isError },
    ),
  )
  tellCut(work, results.length, sizes.filter((size) => size > share).length)
  return made
}

/** Share of their present size to keep, when even the newest results are too long for the model. */
const SHORTENED = 0.25

/** Cuts the results of the newest step, which further messages may follow. Returns false if it has none. */
export async function shortenResults(services: ResultServices, work: Work): Promise<boolean> {
  const answered = work.items.findLastIndex(({ item }) => item.kind === "message" && item.by === undefined)
  const [calls, last] = answered < 1 ? [] : work.items.slice(answered - 1, answered + 1)
  const message = last?.item.kind === "message" ? last.item.message : undefined
  const results = (message?.parts ?? []).flatMap((part) => (part.kind === "tool-result" ? [part] : []))
  if (last?.item.kind !== "message" || message === undefined || results.length === 0) return false
  const runs = results.map(({ text, isError = false }, at) => ({ text, isError, run: `${calls?.seq}.${at}` }))
  const size = runs.reduce((sum, { text }) => sum + o200k.count(text), 0)
  const within = await withinStep(services, work, runs, Math.floor(size * SHORTENED))
  const shorter = within.map(({ text }) => text)
  const texts = new Map(results.map((part, at) => [part, shorter[at] ?? ""]))
  const parts = message.parts.map((part) =>
    part.kind === "tool-result" ? { ...part, text: texts.get(part) ?? "" } : part,
  )
  await save(services, work, {
    replace: [{ seq: last.seq, item: { ...last.item, message: { ...message, parts } } }],
  })
  return true
}

/** In o200k tokens. */
function stepTokens(work: Work): number {
  const { room, fixed, factor } = roomOf(work)
  const most = Math.min(room * SHARE, Math.max(0, room - fixed) * SHARE_OF_FREE)
  return inCountedTokens(most, { factor, exact: false })
}

/** Characters per token, far more than ordinary text has; longer text is not even counted. */
const MOST_CHARACTERS = 25

/** A token has at least one byte, so most results need no counting. */
function fits(text: string, most: number): boolean {
  if (Buffer.byteLength(text) <= most) return true
  return text.length <= most * MOST_CHARACTERS && o200k.count(text) <= most
}

/** The limit for each longer result, if the shorter ones stay whole. */
function equalShare(sizes: readonly number[], most: number): number {
  let left = most
  const sorted = sizes.toSorted((a, b) => a - b)
  for (const [at, size] of sorted.entries()) {
    const share = Math.floor(Math.max(0, left) / (sorted.length - at))
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

interface Cut {
  readonly run: string
  readonly text: string
  readonly most: number
  readonly why: string
}

async function cut(services: ResultServices, work: Work, { run, text, most, why }: Cut): Promise<string> {
  const name = `result:${run}`
  const note = `[This result is cut: ${why}. ${await whereRest(services, work, name, text)}]`
  const room = most - NOTE_TOKENS
  if (room < LEAST_TOKENS) return note
  const ends = boundedOutput()
  ends.add(withoutNote(text, name))
  return `${ends.text(room, o200k)}\n${note}`
}

/**
 * Removes our note from a result that was cut before; the whole text is stored then. Only our own note goes: a tool, a
 * file or a page may contain a similar one, and must not be able to name another result. Looks only at the last line,
 * since the rest may be any text.
 */
function withoutNote(text: string, name: string): string {
  const start = text.lastIndexOf("\n") + 1
  const line = text.slice(start)
  const isNote = line.startsWith("[This result is cut: ") && line.endsWith("]")
  const isOurs = line.includes(`, path "${name}"`) || line.endsWith(`${NOT_KEPT}]`)
  return isNote && isOurs ? text.slice(0, Math.max(0, start - 1)) : text
}

const NOT_KEPT = "The rest is not kept."

async function whereRest(
  { toolbox, store }: ResultServices,
  work: Work,
  name: string,
  text: string,
): Promise<string> {
  if (!canReadOn(toolbox, work)) return NOT_KEPT
  const isWhole = await store.results.keep(work.lease, { name, trust: work.trust, text })
  const what = isWhole ? "All of it is kept" : "Its beginning is kept"
  return `${what}: read it with ${readTool.name}, path "${name}"${isWhole ? "" : ", by lines"}.`
}

/** The program may have its own tool of that name, which cannot read results. */
function canReadOn(toolbox: Pick<Toolbox, "tool">, { gathered, trust }: Work): boolean {
  const tool = toolbox.tool(readTool.name)
  const isOffered = gathered.seen.agent.tools.some(({ name }) => name === readTool.name)
  return isOffered && tool?.run === readTool.run && atLeast(trust, tool.trust ?? "public")
}

function tellCut({ scope, tell, step }: Work, all: number, some: number): void {
  const text = `${some} of the ${all} results of step ${step} were cut, because they were too long together.`
  scope.event("diagnostic", { level: "info", data: { code: "results-cut", text } })
  tell({ kind: "diagnostic", level: "warning", text })
}
