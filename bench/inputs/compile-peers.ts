// The libraries that the compiler is compared with: same sections, same budget, same tokenizer, each used as its
// documentation says. Every contender gets its inputs in its own form before the clock starts.
import { type BaseMessage, SystemMessage, trimMessages } from "@langchain/core/messages"
import {
  type BasePromptElementProps,
  Chunk,
  type ITokenizer,
  OutputMode,
  PromptElement,
  type PromptPiece,
  PromptRenderer,
  Raw,
  SystemMessage as TsxSystemMessage,
} from "@vscode/prompt-tsx"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import type { Turn } from "../../src/core/model/inputs.ts"
import { o200k } from "../../src/tokens/o200k.ts"

export interface WorkSection {
  readonly id: string
  readonly text: string
  readonly need: "high" | "medium" | "low"
  /** Unique, in the order of need. A higher one is dropped later. */
  readonly priority: number
}

export interface Workload {
  readonly sections: readonly WorkSection[]
  /** In tokens: half of all text. */
  readonly budget: number
}

/** The result of a build. `size` is read from the finished text, so that nothing stays lazy. */
export interface Built {
  readonly size: number
  /** How many sections it contains, including the turn's. */
  readonly kept: () => number
}

/** Makes one prompt. A contender keeps here whatever it can reuse between builds. */
export type Build = (turn: Turn) => Built | Promise<Built>

export interface Contender {
  readonly name: string
  /** Whether it fits the sections into a budget. */
  readonly fits: boolean
  /** Prepares the inputs; the returned function makes a fresh builder. */
  readonly prepare: (workload: Workload) => () => Build
}

/** A longer build is aborted. */
export const GIVE_UP_MS = 20_000

export class GaveUp extends Error {}

type Count = (text: string) => number

/** Users of prompt-tsx combine it with a tokenizer from npm, not with ours, which is several times faster. */
export const AS_PEOPLE_USE_IT = "prompt-tsx, one message, counted by gpt-tokenizer"

/** Flat text, as it will be sent: reading one unit makes V8 flatten what `+=` left as a rope. */
export function readText(text: string): number {
  return text.length + (text.charCodeAt(text.length >> 1) & 1)
}

function plain(): Count {
  return o200k.count
}

/** What a project uses that does not use ours. */
function usual(): Count {
  return countTokens
}

/** The best that a user can do without changing the library. */
function memoized(): Count {
  const known = new Map<string, number>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const count = o200k.count(text)
    known.set(text, count)
    return count
  }
}

interface TsxProps extends BasePromptElementProps {
  readonly sections: readonly WorkSection[]
  readonly turn: string
}

/** One system message with a chunk for each section. */
class OneMessage extends PromptElement<TsxProps> {
  override render(): PromptPiece {
    const { sections, turn } = this.props
    const chunks = sections.map(({ text, priority }) => vscpp(Chunk, { priority }, `${text}\n\n`))
    const last = vscpp(Chunk, { priority: sections.length + 1 }, turn)
    return asPiece(vscpp(vscppf, null, vscpp(TsxSystemMessage, null, chunks, last)))
  }
}

/** A system message for each section. */
class ManyMessages extends PromptElement<TsxProps> {
  override render(): PromptPiece {
    const { sections, turn } = this.props
    const messages = sections.map(({ text, priority }) =>
      vscpp(TsxSystemMessage, { priority }, `${text}\n\n`),
    )
    const last = vscpp(TsxSystemMessage, { priority: sections.length + 1 }, turn)
    return asPiece(vscpp(vscppf, null, messages, last))
  }
}

/** The library's types use another name for what its factory returns. */
function asPiece(made: ReturnType<typeof vscpp>): PromptPiece {
  return made as PromptPiece
}

/** A renderer cannot be used twice, so each build makes one; only the tokenizer is reused. */
function promptTsx(name: string, form: "one" | "many", counter: () => Count): Contender {
  const element = form === "one" ? OneMessage : ManyMessages
  return {
    name,
    fits: true,
    prepare:
      ({ sections, budget }) =>
      () => {
        const tokenizer = tsxTokenizer(counter())
        const endpoint = { modelMaxPromptTokens: budget }
        return async (turn) => {
          const props = { sections, turn: turn.message ?? "" }
          const { messages } = await new PromptRenderer(endpoint, element, props, tokenizer).render()
          const texts = messages.flatMap(({ content }) => content.map(textOfPart))
          const size = texts.reduce((sum, text) => sum + readText(text), 0)
          const kept = () => sections.filter(({ text }) => texts.some((one) => one.includes(text))).length + 1
          return { size, kept }
        }
      },
  }
}

function tsxTokenizer(count: Count): ITokenizer<OutputMode.Raw> {
  return {
    mode: OutputMode.Raw,
    tokenLength: (part) => count(textOfPart(part)),
    countMessageTokens: ({ content }) => content.reduce((sum, part) => sum + count(textOfPart(part)), 0),
  }
}

function textOfPart(part: Raw.ChatCompletionContentPart): string {
  return part.type === Raw.ChatCompletionContentPartKind.Text ? part.text : ""
}

/** It has no priorities and keeps the last messages, so the sections are sorted with the most needed last. */
function langChain(name: string, counter: () => Count): Contender {
  return {
    name,
    fits: true,
    prepare: ({ sections, budget }) => {
      const sorted = sections.toSorted((a, b) => a.priority - b.priority)
      const messages = sorted.map(({ text }) => new SystemMessage(`${text}\n\n`))
      return () => {
        const count = counter()
        return async (turn) => {
          const giveUpAt = performance.now() + GIVE_UP_MS
          const tokenCounter = (list: readonly BaseMessage[]): number => {
            if (performance.now() > giveUpAt) throw new GaveUp()
            return list.reduce((sum, { content }) => sum + count(content as string), 0)
          }
          const all = [...messages, new SystemMessage(turn.message ?? "")]
          const left = await trimMessages(all, { maxTokens: budget, strategy: "last", tokenCounter })
          const size = left.reduce((sum, { content }) => sum + readText(content as string), 0)
          return { size, kept: () => left.length }
        }
      }
    },
  }
}

/** One growing string from templates, rebuilt completely each time. */
function concatenation({ sections }: Workload): () => Build {
  return () => (turn) => {
    let prompt = "You are a helpful assistant.\n"
    for (const { id, text } of sections) prompt += `\n\n<${id}>\n${text}\n</${id}>`
    prompt += `\n\n${turn.message}`
    return { size: readText(prompt), kept: () => sections.length + 1 }
  }
}

/** The floor: decides, formats and counts nothing. */
function join({ sections }: Workload): () => Build {
  const texts = sections.map(({ text }) => `${text}\n\n`)
  return () => (turn) => ({
    size: readText([...texts, turn.message].join("")),
    kept: () => sections.length + 1,
  })
}

export const PEERS: readonly Contender[] = [
  promptTsx("prompt-tsx, one message", "one", plain),
  promptTsx("prompt-tsx, one message, counted by gpt-tokenizer", "one", usual),
  promptTsx("prompt-tsx, one message, memoized counts", "one", memoized),
  promptTsx("prompt-tsx, N messages", "many", plain),
  promptTsx("prompt-tsx, N messages, memoized counts", "many", memoized),
  langChain("LangChain trimMessages", plain),
  langChain("LangChain trimMessages, memoized counts", memoized),
  { name: "*no budget:* concatenation, as pi does it", fits: false, prepare: concatenation },
  { name: "*no budget:* join of finished strings", fits: false, prepare: join },
]
