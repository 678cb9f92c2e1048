// A compiled prompt: tools, head, tail, and the plan they were read off. Digests of it are made when asked for.
import { canonicalJson, type Digest, digest, digestOf } from "../../base/digest.ts"
import type { Told } from "../layout/tail.ts"
import type { Block, Plan } from "./plan.ts"
import type { Tool } from "./scope.ts"

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

interface Prefix {
  readonly tools: readonly Tool[]
  readonly digest: Digest
  readonly blocks: readonly Digest[]
}

const PREFIXES = new WeakMap<readonly Block[], Prefix>()

/** Of the tools and the head: what a provider caches. */
export function prefixOf(prompt: Pick<Prompt, "tools" | "head">): Digest {
  return prefix(prompt).digest
}

/** Of all tools, then of each block of the head: how far two prefixes are the same. */
export function prefixBlocks(prompt: Pick<Prompt, "tools" | "head">): readonly Digest[] {
  return prefix(prompt).blocks
}

function prefix({ tools, head }: Pick<Prompt, "tools" | "head">): Prefix {
  const known = PREFIXES.get(head)
  if (known?.tools === tools) return known
  const ofTools = tools.map((tool) => digest(toolText(tool)))
  const ofHead = head.map(({ text }) => digest(text))
  const made = { tools, digest: digestOf([...ofTools, ...ofHead]), blocks: [digestOf(ofTools), ...ofHead] }
  PREFIXES.set(head, made)
  return made
}

/** Of everything. */
export function fingerprintOf(prompt: Prompt): Digest {
  return digestOf([prefixOf(prompt), prompt.tail?.text ?? ""])
}
