// A compiled prompt: tools, head, tail, and the plan they were read off. Digests of it are made when asked for.
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
}

export function makePrompt(data: Omit<Prompt, "text">): Prompt {
  let text = ""
  // Joined by addition, which copies nothing until the text is read.
  for (const block of data.plan.blocks) text += block.text
  return { ...data, text }
}

/** The tool as it is sent, with sorted keys. */
export function toolText({ name, description, parameters }: Tool): string {
  return canonicalJson({ name, description, parameters })
}

const PREFIXES = new WeakMap<readonly Block[], { readonly tools: readonly Tool[]; readonly digest: Digest }>()

/** Of the tools and the head: what a provider caches. */
export function prefixOf({ tools, head }: Pick<Prompt, "tools" | "head">): Digest {
  const known = PREFIXES.get(head)
  if (known?.tools === tools) return known.digest
  const made = digestOf([
    ...tools.map((tool) => digest(toolText(tool))),
    ...head.map(({ text }) => digest(text)),
  ])
  PREFIXES.set(head, { tools, digest: made })
  return made
}

/** Of everything. */
export function fingerprintOf(prompt: Prompt): Digest {
  return digestOf([prefixOf(prompt), prompt.tail?.text ?? ""])
}
