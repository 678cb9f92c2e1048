// A compiled prompt: tools, head, tail, and the plan they come from. Its digests are computed on demand.
import { canonicalJson, type Digest, digest, digestOf } from "../../base/digest.ts"
import { oncePerFields, oncePerObject } from "../../base/memo/once.ts"
import type { Sent } from "../layout/tail.ts"
import type { Tool } from "./inputs.ts"
import type { Block, Plan } from "./plan.ts"

/** A compiled prompt: its text in blocks, the tools, and the plan that explains it. */
export interface Prompt {
  readonly plan: Plan
  /** The tools that the audience may call, sorted by name. */
  readonly tools: readonly Tool[]
  readonly head: readonly Block[]
  readonly tail: Block | undefined
  /** What the conversation will contain once the tail is attached. Pass it in with the next step. */
  readonly sent: Sent
  /** The head, then the tail: exactly what the model is sent apart from the conversation. */
  readonly text: string
}

export function makePrompt(data: Omit<Prompt, "text">): Prompt {
  let text = ""
  // Concatenation copies nothing until the text is read.
  for (const block of data.plan.blocks) text += block.text
  return { ...data, text }
}

/** A tool as it is sent, with sorted keys. */
export interface ToolText {
  readonly text: string
}

/** The same object until the tool changes, so that its count and digest can be kept with it. */
export const toolText = oncePerFields(
  ["name", "description", "parameters"],
  ({ name, description, parameters }: Tool): ToolText => ({
    text: canonicalJson({ name, description, parameters }),
  }),
)

export function toolDigest(tool: Tool): Digest {
  return textDigest(toolText(tool))
}

const textDigest = oncePerObject(({ text }: ToolText) => digest(text))

export const blockDigest = oncePerObject(({ text }: Block) => digest(text))

interface Prefix {
  readonly digest: Digest
  readonly blocks: readonly Digest[]
}

/** The digest of the tools and the head, which is what a provider caches. */
export function prefixOf(prompt: Pick<Prompt, "tools" | "head">): Digest {
  return prefixFor(prompt.head)(prompt.tools).digest
}

/** A digest of the tools, then one per head block: shows how far two prefixes agree. */
export function prefixBlocks(prompt: Pick<Prompt, "tools" | "head">): readonly Digest[] {
  return prefixFor(prompt.head)(prompt.tools).blocks
}

const prefixFor = oncePerObject((head: readonly Block[]) => {
  const ofHead = head.map(blockDigest)
  return oncePerObject((tools: readonly Tool[]): Prefix => {
    const ofTools = tools.map(toolDigest)
    return { digest: digestOf([...ofTools, ...ofHead]), blocks: [digestOf(ofTools), ...ofHead] }
  })
})

/** The digest of the whole prompt. */
export function fingerprintOf(prompt: Prompt): Digest {
  return digestOf([prefixOf(prompt), prompt.tail?.text ?? ""])
}
