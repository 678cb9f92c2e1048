// A compiled prompt: tools, head, tail, and the plan they were read off. Text and fingerprint are made when asked for.
import { canonicalJson, type Digest, digest, digestOf } from "./digest.ts"
import type { Block, Plan } from "./plan.ts"
import type { Tool } from "./scope.ts"
import type { Told } from "./tail.ts"

export interface Prompt {
  readonly plan: Plan
  /** Those the audience may call, sorted by name. */
  readonly tools: readonly Tool[]
  readonly head: readonly Block[]
  readonly tail: Block | undefined
  /** What the conversation will hold once the tail is attached. Hand it in with the next step. */
  readonly told: Told
  /** The head, then the tail: exactly what the model is told besides the conversation. */
  readonly text: string
  /** Of the tools and the head: the prefix that a provider caches. */
  readonly prefix: Digest
  /** Of everything. */
  readonly fingerprint: Digest
}

export type PromptData = Pick<Prompt, "plan" | "tools" | "head" | "tail" | "told">

export function makePrompt(data: PromptData): Prompt {
  const text = lazy(() => data.plan.blocks.map((block) => block.text).join(""))
  const prefix = lazy(() => prefixDigest(data.tools, data.head))
  const fingerprint = lazy(() => digestOf([prefix(), data.tail?.text ?? ""]))
  return {
    ...data,
    get text() {
      return text()
    },
    get prefix() {
      return prefix()
    },
    get fingerprint() {
      return fingerprint()
    },
  }
}

/** The tool as it is sent, with sorted keys. */
export function toolText({ name, description, parameters }: Tool): string {
  return canonicalJson({ name, description, parameters })
}

const PREFIXES = new WeakMap<readonly Block[], Digest>()

function prefixDigest(tools: readonly Tool[], head: readonly Block[]): Digest {
  const known = PREFIXES.get(head)
  if (known !== undefined) return known
  const made = digestOf([
    ...tools.map((tool) => digest(toolText(tool))),
    ...head.map(({ text }) => digest(text)),
  ])
  PREFIXES.set(head, made)
  return made
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
