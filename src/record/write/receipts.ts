// Receipts: what is stored of one compiled prompt and its request. Every text is stored once, by digest. The
// conversation is a path in a tree, so that a step adds only what is new. Nothing here makes a turn wait.
import type { Trust } from "../../base/trust.ts"
import type { Block } from "../../core/model/plan.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { type Report, type ReportSection, report } from "../../core/read/report.ts"
import type { NewReceipt } from "../../database/contract/record/receipts.ts"
import type { Ref } from "../../database/text-ref.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { type CommonPart, isChanged, storedAlike } from "./common-parts.ts"
import type { RecordEvent } from "./event.ts"
import { type ReadRequest, readRequest } from "./known-request.ts"
import type { ReceiptCache, StoredPlan } from "./receipt-cache.ts"
import type { Recorder } from "./record.ts"
import { eventEntry, type Job } from "./record-jobs.ts"
import { isObject, type Json, type JsonObject } from "./request-marks.ts"
import { type StoredElement, stringsOf, type Taking, takeApart, takeValue } from "./request-parts.ts"

/** The model call that a receipt is about. */
export interface ReceiptOptions {
  readonly turn: string
  readonly step: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly session: string
  readonly trust: Trust
  readonly model: string
  readonly prompt: Prompt
  /** The body as sent: an object, or its JSON if it exists already. */
  readonly request: unknown
  /** The cache rule, if it is not the bundled one for the model. */
  readonly rule?: CacheRule
}

/** A request that another program made: there is no prompt, only what its parts are. */
export interface ForeignReceiptOptions extends Omit<ReceiptOptions, "prompt" | "rule"> {
  /** Its tools and its system text, as far as they are known. */
  readonly report: Report
  /** Anything else to keep with it, as JSON. */
  readonly about: JsonObject
}

/**
 * Queues a receipt. Copies the request at once, as its owner may change it later; everything else happens when the
 * queue is written. A second receipt for the same step replaces the first.
 */
export function saveReceipt(recorder: Recorder, options: ReceiptOptions): void {
  const { request, prompt, rule, ...rest } = options
  save(recorder, request, { ...rest, plan: (read) => promptPlan(prompt, rule, read) })
}

/** The same for a request of another program. */
export function saveForeignReceipt(recorder: Recorder, options: ForeignReceiptOptions): void {
  const { request, report: parts, about, ...rest } = options
  const { budget, sections, ...others } = parts
  save(recorder, request, {
    ...rest,
    plan: () => ({ budget, about, report: { ...others, runs: runsOf(sections) } }),
  })
}

function save(recorder: Recorder, request: unknown, facts: ReceiptFacts): void {
  const body = bodyOf(request)
  if (body.text === undefined) recorder.append(notKept(facts, body.why))
  else recorder.enqueue(receiptJob(recorder, facts, body.text))
}

interface ReceiptFacts extends Omit<ReceiptOptions, "request" | "prompt" | "rule"> {
  readonly plan: (request: ReadRequest) => StoredPlan
}

const NO_JSON = "it is not JSON"

function notKept({ turn, step, at, session, trust }: ReceiptFacts, why: string): RecordEvent {
  const error = `the request cannot be kept: ${why}`
  return { type: "diagnostic", at, turn, step, session, trust, error }
}

function bodyOf(request: unknown): { readonly text: string | undefined; readonly why: string } {
  if (typeof request === "string") return { text: request, why: "" }
  try {
    // `undefined` and functions have no JSON, whatever the types say.
    const text = JSON.stringify(request) as string | undefined
    return { text, why: NO_JSON }
  } catch (error) {
    // Cycles, big integers, or too deep for the stack; a custom `toJSON` may throw anything.
    return { text: undefined, why: error instanceof Error ? error.message : String(error) }
  }
}

interface Taken {
  readonly request: ReadRequest
  readonly plan: StoredPlan
  /** The plan as it will be read back. */
  readonly planJson: Json
  /** Parts of both that are the same objects in other receipts. */
  readonly common: readonly CommonPart[]
  /** What the redactor has to see. */
  readonly texts: readonly string[]
}

function receiptJob(recorder: Recorder, facts: ReceiptFacts, body: string): Job {
  let taken: { readonly what: Taken | undefined } | undefined
  const take = (): Taken | undefined => {
    if (taken !== undefined) return taken.what
    taken = { what: takenFrom(recorder.receipts, facts, body) }
    if (taken.what !== undefined) recorder.receipts.keepPlan(facts, taken.what.plan)
    return taken.what
  }
  let elements: readonly StoredElement[] = []
  return {
    // Computed when the queue is written: splitting a long request must not delay the turn.
    get texts() {
      return take()?.texts ?? []
    },
    entry(shown) {
      const found = take()
      if (found === undefined) {
        const diagnostic = notKept(facts, NO_JSON)
        return eventEntry(diagnostic, diagnostic.error ?? "", "")
      }
      const { texts, common } = found
      const changed = new Map(
        texts.flatMap((text, at) => (shown[at] === text ? [] : [[text, shown[at] ?? ""]])),
      )
      for (const text of texts) if (!changed.has(text)) recorder.receipts.keepClean(text)
      for (const part of common) if (!isChanged(part.strings, changed)) recorder.receipts.cleanParts.add(part)
      const made = newReceipt(facts, found, changed)
      elements = made.elements
      return { kind: "receipt", receipt: made.receipt }
    },
    written(nodes) {
      const request = take()?.request
      recorder.receipts.dropOldPlans()
      // A mark that is an item of the conversation is not among its elements.
      if (request === undefined || elements.length !== request.ends.length) return
      const { text, start, ends } = request
      const receipt = { turn: facts.turn, step: facts.step }
      recorder.receipts.requests.keep(facts.session, { text, start, ends, elements, nodes, receipt })
    },
  }
}

/** Returns undefined if the body is not JSON. Drops the parser's message, because it quotes the body. */
function takenFrom(cache: ReceiptCache, facts: ReceiptFacts, body: string): Taken | undefined {
  const read = readRequest(body, cache.requests.of(facts.session))
  if (read === undefined) return undefined
  const plan = facts.plan(read)
  const common: CommonPart[] = []
  const partOf = (value: unknown): Json => {
    const part = cache.partOf(JSON.stringify(value))
    common.push(part)
    return part.value
  }
  const request = splitTools(read.value, partOf)
  const inPlan = splitPlan(plan, partOf)
  const strings = stringsOf(inPlan.rest, stringsOf(request.rest))
  for (const part of common)
    if (!cache.cleanParts.has(part)) for (const text of part.strings) strings.add(text)
  return {
    ...{ request: { ...read, value: request.value }, plan, planJson: inPlan.value, common },
    texts: [...strings].filter((text) => !cache.isClean(text)),
  }
}

/** A value with its common parts, and what else it has. */
interface Split {
  readonly value: Json
  readonly rest: Json
}

function splitTools(request: Json, partOf: (value: Json) => Json): Split {
  const tools = isObject(request) ? request.tools : undefined
  if (!isObject(request) || tools === undefined) return { value: request, rest: request }
  return { value: { ...request, tools: partOf(tools) }, rest: { ...request, tools: null } }
}

/** As it will be read back: without what JSON leaves out. */
function splitPlan(plan: StoredPlan, partOf: (value: unknown) => Json): Split {
  const { tools, runs } = plan.report
  const rest = JSON.parse(JSON.stringify({ ...plan, report: { ...plan.report, tools: [], runs: [] } })) as {
    report: JsonObject
  }
  return {
    value: { ...rest, report: { ...rest.report, tools: partOf(tools), runs: runs.map(partOf) } },
    rest,
  }
}

function promptPlan(prompt: Prompt, rule: CacheRule | undefined, request: ReadRequest): StoredPlan {
  const { budget, sections, ...rest } = report(prompt)
  const after = shareAfterTail(request, prompt.tail)
  return {
    budget,
    ...(after > 0 && { after }),
    ...(rule && { rule }),
    report: { ...rest, runs: runsOf(sections) },
  }
}

function runsOf(sections: readonly ReportSection[]): readonly (readonly ReportSection[])[] {
  const runs: ReportSection[][] = []
  for (const section of sections) {
    const run = runs.at(-1)
    if (run?.[0]?.pace === section.pace) run.push(section)
    else runs.push([section])
  }
  return runs
}

/** Usually the tail is in the newest message; if steps share a prompt, calls and results follow it. */
function shareAfterTail(request: ReadRequest, tail: Block | undefined): number {
  const { start, ends } = request
  const last = ends.at(-1)
  if (tail === undefined || last === undefined) return 0
  // If the operator's words are sent as a system message, the tail ends there.
  const texts = [tail.text, ...(tail.operator ?? []).map(({ text }) => text)]
  const found = Math.max(...texts.map((text) => lastPlace(request, text, last)))
  const end = found === -1 ? undefined : ends.find((place) => place > found)
  return end === undefined ? 0 : Math.round(((last - end) / (last - start)) * 1000) / 1000
}

function lastPlace({ text, start }: ReadRequest, part: string, last: number): number {
  const sought = JSON.stringify(part).slice(1, -1)
  let found = -1
  // Forwards: searching a long text from the end takes many times as long.
  for (let at = text.indexOf(sought, start); at !== -1 && at < last; at = text.indexOf(sought, at + 1))
    found = at
  return found
}

/** As it is stored, with the items of its conversation. */
function newReceipt(
  { turn, step, at, session, trust, model }: ReceiptFacts,
  { request, plan, planJson, common }: Taken,
  changed: ReadonlyMap<string, string>,
): { readonly receipt: NewReceipt; readonly elements: readonly StoredElement[] } {
  const { value, rounded, known, shared } = request
  const texts = new Map<Ref, string>()
  const sections = plan.report.runs.flat()
  // The tail stays whole: in the next turn, it is an ordinary text of the conversation.
  const blocks = plan.report.blocks.map((block, number) =>
    block.placement === "tail" ? [] : piecesOf(block.text, number, sections),
  )
  const taking: Taking = {
    shown: (string) => changed.get(string) ?? string,
    ...{ blocks, rounded, ready: storedAlike(common, changed, blocks) },
    keep: (ref, kept) => texts.set(ref, kept),
  }
  const { frame, elements, marks } = takeApart(value, taking, known?.elements.slice(0, shared))
  const planText = takeValue(planJson, taking)
  const tree = (stored: string) => ({ stored, texts })
  const receipt: NewReceipt = {
    ...{ turn, step, at, session, trust, model, elements },
    ...{ frame: tree(frame), marks: tree(marks), plan: tree(planText) },
    ...(known && { known: { ...known.receipt, nodes: known.nodes, shared } }),
  }
  return { receipt, elements }
}

/** Shorter pieces stay with the previous one: a separate row takes about as much space. */
const SHORT_PIECE = 256

/** Cuts a block where sections begin, so that only a changed section is new. */
function piecesOf(text: string, block: number, sections: readonly ReportSection[]): readonly string[] {
  const starts = sections
    .flatMap(({ spans }) => spans.filter((span) => span.block === block).slice(0, 1))
    .map(({ start }) => start)
    .toSorted((a, b) => a - b)
  const cuts = [0]
  for (const start of starts) if (start - (cuts.at(-1) ?? 0) >= SHORT_PIECE) cuts.push(start)
  return cuts.map((start, at) => text.slice(start, cuts[at + 1] ?? text.length))
}
