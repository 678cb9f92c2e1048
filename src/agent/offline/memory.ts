// Questions to memory: a search, the whole text of a hit that was cut, and an answer with the place of each text.
import { questionTerms, termsOf } from "../../memory/rank/terms.ts"
import { clipped, quoted, saidBy, troubleOf } from "./answer.ts"
import type { Call, Script } from "./script.ts"
import type { Called, OfflineView } from "./view.ts"

interface Hit {
  readonly place: string
  readonly path: string
  readonly first: number
  readonly last: number
  readonly body: readonly string[]
}

const MOST_HITS = 3
const MOST_HIT_LINES = 6

export function askMemory(query: string, view: OfflineView): Script {
  const rest = (hit: Hit | undefined): readonly Call[] =>
    hit !== undefined && isCut(hit) && view.tools.has("memory_get")
      ? [
          {
            tool: "memory_get",
            input: { path: hit.path, from: hit.first, lines: hit.last - hit.first + 1 },
          },
        ]
      : []
  return {
    steps: [() => [{ tool: "memory_search", input: { query } }], ([found]) => rest(hitsIn(found)[0])],
    answer: (done) => tell(query, done),
  }
}

/** What the prompt already contains, without any tool. */
export function tellRecall({ turn }: OfflineView): string {
  const [, ...told] = (turn.get("recall") ?? "").split("\n")
  return `What memory has on this message:\n${quoted(told.filter((line) => !/^<\/?memory\b/.test(line)))}`
}

export function tellWritten(called: Called, text: string): string {
  const [, place] = /^status=ok: written to (.+)\.$/.exec(called.result?.lines[0] ?? "") ?? []
  return place === undefined ? saidBy(called) : `Noted in ${place}: ${clipped(text)}`
}

function tell(query: string, [found, whole]: readonly Called[]): string {
  if (found === undefined) return "I could not search memory."
  const trouble = troubleOf(found)
  if (trouble !== undefined) return trouble
  const hits = hitsIn(found)
  if (hits.length === 0) {
    const [status = ""] = found.result?.lines ?? []
    return status.startsWith("status=empty") ? `Memory has nothing about ${query}.` : saidBy(found)
  }
  const texts = aboutIt(query, hits)
    .slice(0, MOST_HITS)
    .map((hit) => {
      const body = hit === hits[0] && whole !== undefined ? wholeLines(whole) : undefined
      const lines = (body ?? hit.body).slice(0, MOST_HIT_LINES).map((line) => clipped(line.trim()))
      return `- ${lines.join(" ").replace(/^[-*] /, "")} (${hit.place})`
    })
  const left = hits.length - texts.length
  const more = found.result?.lines.find((line) => /^(?:at least )?\d+ more hits?\b/.test(line))
  return [
    `From memory:\n\n${texts.join("\n")}`,
    ...(left > 0 ? [`(${left} more not shown)`] : []),
    ...(more === undefined ? [] : [`(memory has ${more.split(";")[0]})`]),
  ].join("\n\n")
}

/** Memory also returns neighbours of the best hit, which help a model but not a rule. */
function aboutIt(query: string, hits: readonly Hit[]): readonly Hit[] {
  const asked = new Set(questionTerms(query))
  return hits.filter(({ body }, at) => at === 0 || termsOf(body.join("\n")).some((term) => asked.has(term)))
}

const HEAD = /^([^\s"]+):(\d+)(?:-(\d+))? .*\btokens=\d+/

function hitsIn(found: Called | undefined): readonly Hit[] {
  const hits: (Hit & { readonly body: string[] })[] = []
  for (const line of found?.result?.lines ?? []) {
    const [, path, first = "", last = first] = HEAD.exec(line) ?? []
    if (path !== undefined) {
      const lines = first === last ? first : `${first}-${last}`
      hits.push({ place: `${path}:${lines}`, path, first: Number(first), last: Number(last), body: [] })
    } else if (line.startsWith("  ")) hits.at(-1)?.body.push(line.slice(2))
  }
  return hits
}

function isCut({ body }: Hit): boolean {
  return body[0]?.startsWith("... ") === true || body.at(-1)?.endsWith(" ...") === true
}

function wholeLines(called: Called): readonly string[] | undefined {
  if (troubleOf(called) !== undefined) return undefined
  const lines = (called.result?.lines ?? []).flatMap((line) => /^\d+[:+] ?(.*)$/.exec(line)?.[1] ?? [])
  return lines.length === 0 ? undefined : lines
}
