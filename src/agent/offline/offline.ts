// The offline model: answers by rules and without a network, so that a user without a key can see tools, memory, plans
// and the record at work. It sees what a model sees, acts only on the user's own words, and says what it is.
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider"
import { IncipitError } from "../../base/error.ts"
import { OFFLINE, offlinePrice } from "../../record/prices/offline-calls.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { Model } from "../models/model.ts"
import { isSummaryRequest } from "../turn/compaction/summary-request.ts"
import type { Call } from "./script.ts"
import type { OfflineScript } from "./scripted.ts"
import { nextStep, type OfflineStep } from "./step.ts"
import { summaryOf } from "./summary.ts"
import { type OfflineView, scriptView, textsSeen, viewOf } from "./view.ts"

/** Options of the offline model. */
export interface OfflineOptions {
  /** The model whose cache rule is simulated. */
  readonly standsFor?: string
  /** Decides on each answer, for tests of an agent. Summaries are still made by the rules. */
  readonly script?: OfflineScript
}

/** The model that answers by rules, without a key or a network: for tests and for trying things out. */
export function offlineModel(options: OfflineOptions = {}): Model {
  const { standsFor = "anthropic/claude-sonnet-5-5", script } = options
  if (typeof options === "function" || (script !== undefined && typeof script !== "function"))
    throw new IncipitError("bad-option", "offlineModel takes { script }, with a function as the script")
  const id = `${OFFLINE}/${standsFor}`
  const rule = ruleFor(standsFor)
  const language = languageModel(standsFor, script)
  return {
    id,
    toolFormat: "native",
    takesFiles: false,
    rule,
    isOffline: true,
    price: (at) => offlinePrice(id, new Date(at).toISOString().slice(0, 10)),
    language: () => language,
  }
}

function languageModel(modelId: string, script: OfflineScript | undefined): LanguageModelV4 {
  const countSeen = countWhatIsNew()
  return {
    specificationVersion: "v4",
    provider: OFFLINE,
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      const { content, finishReason, usage } = answer(options, countSeen, script)
      return { content, finishReason, usage, warnings: [] }
    },
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      return { stream: streamed(partsOf(answer(options, countSeen, script)), options.abortSignal) }
    },
  }
}

interface Answer {
  readonly content: LanguageModelV4Content[]
  readonly finishReason: LanguageModelV4FinishReason
  readonly usage: LanguageModelV4Usage
}

const LABEL = "(offline model) "
const INTRODUCTION =
  "I am a stand-in that answers by fixed rules. To use a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY."

function answer(
  options: LanguageModelV4CallOptions,
  countSeen: CountAll,
  script: OfflineScript | undefined,
): Answer {
  const view = viewOf(options)
  const isSummary = view.isMinimal || isSummaryRequest(view.words)
  const scripted = isSummary ? undefined : scriptedContent(view, script?.(scriptView(view)))
  const content = scripted ?? contentOf(isSummary ? summaryStep(view) : nextStep(view), view)
  const unified = content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop"
  const usage = usageOf(countSeen(textsSeen(options)), content)
  return { content, finishReason: { unified, raw: unified }, usage }
}

function summaryStep(view: OfflineView): OfflineStep {
  return { kind: "answer", text: summaryOf(view) }
}

function contentOf(step: OfflineStep, view: OfflineView): LanguageModelV4Content[] {
  if (step.kind === "silence") return []
  if (step.kind === "answer") return [{ type: "text", text: labelled(step.text, view) }]
  return callsOf(step.calls, view)
}

/** A test compares the text, so it has no label. */
function scriptedContent(
  view: OfflineView,
  wanted: ReturnType<OfflineScript>,
): LanguageModelV4Content[] | undefined {
  if (wanted === undefined) return undefined
  if (typeof wanted === "string") return [{ type: "text", text: wanted }]
  if (!Array.isArray(wanted))
    throw new TypeError(
      `the script of the offline model returned a ${typeof wanted}; return a text, a list of calls, or undefined`,
    )
  return callsOf(
    wanted.map(({ name, input = {} }) => ({ tool: name, input })),
    view,
  )
}

function callsOf(calls: readonly Call[], { nextCall }: OfflineView): LanguageModelV4Content[] {
  return calls.map(({ tool, input }, at) => ({
    type: "tool-call",
    toolCallId: `call_${nextCall + at}`,
    toolName: tool,
    input: JSON.stringify(input),
  }))
}

/** A heading must start its line. */
function labelled(text: string, { isMinimal, hasAnswered }: OfflineView): string {
  if (!isMinimal && !hasAnswered(LABEL)) return `${LABEL}${INTRODUCTION}\n\n${text}`
  return text.startsWith("#") ? `${LABEL}\n\n${text}` : `${LABEL}${text}`
}

/** Counts what it saw and wrote; the cache is simulated elsewhere. */
function usageOf(seen: number, content: readonly LanguageModelV4Content[]): LanguageModelV4Usage {
  const written = content.map((part) => {
    if (part.type === "tool-call") return `${part.toolName} ${part.input}`
    return part.type === "text" ? part.text : ""
  })
  return {
    inputTokens: {
      total: seen,
      noCache: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: written.reduce((sum, text) => sum + o200k.count(text), 0),
      text: undefined,
      reasoning: undefined,
    },
  }
}

type CountAll = (texts: readonly string[]) => number

/** A request repeats the one before it, so only new texts are counted. */
function countWhatIsNew(): CountAll {
  let last: ReadonlyMap<string, number> = new Map()
  return (texts) => {
    last = new Map(texts.map((text) => [text, last.get(text) ?? o200k.count(text)]))
    return texts.reduce((sum, text) => sum + (last.get(text) ?? 0), 0)
  }
}

const TEXT_ID = "answer"

/** Streams text word by word, as a model would. */
function partsOf({ content, finishReason, usage }: Answer): readonly LanguageModelV4StreamPart[] {
  const inside = content.flatMap((part): readonly LanguageModelV4StreamPart[] => {
    if (part.type === "tool-call") return [part]
    if (part.type !== "text") return []
    const words = part.text.match(/\S+\s*/g) ?? []
    return [
      { type: "text-start", id: TEXT_ID },
      ...words.map((delta) => ({ type: "text-delta", id: TEXT_ID, delta }) as const),
      { type: "text-end", id: TEXT_ID },
    ]
  })
  return [{ type: "stream-start", warnings: [] }, ...inside, { type: "finish", finishReason, usage }]
}

/** Yields a part only on demand, so that a stop between two parts takes effect. */
function streamed(
  parts: readonly LanguageModelV4StreamPart[],
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        const part = parts[at]
        at += 1
        if (signal?.aborted) controller.error(signal.reason)
        else if (part === undefined) controller.close()
        else controller.enqueue(part)
      },
    },
    { highWaterMark: 0 },
  )
}
