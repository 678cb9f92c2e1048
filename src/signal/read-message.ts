// How the default profile reads a message: its genre, and the mode of the requested work, but only if the form of its
// sentences makes that certain. Otherwise it returns nothing, because a wrong reading steers worse than none. English
// only; other languages match no form. Unlike this, the rules of `classify` always answer.
import { fold } from "./keywords.ts"
import { kindOf, type SentenceKind } from "./sentence-kind.ts"
import type { SignalGenre, SignalMode } from "./signal.ts"

/** What a message surely is. */
export interface Reading {
  readonly genre: SignalGenre
  /** The kind of work requested; only with `direct`. */
  readonly mode?: SignalMode
}

/** A longer text may say anything further down. */
const LONGEST = 2_000
const MOST_SENTENCES = 12

/** Classifies a message only if the rules are sure; otherwise undefined. */
export function readMessage(text: string): Reading | undefined {
  const sentences = sentencesOf(text)
  if (sentences.length === 0 || sentences.length > MOST_SENTENCES) return undefined
  return readingOf(sentences.map(kindOf))
}

/** The folded sentences of a message, without code and quotations, which aren't the sender's words. */
export function sentencesOf(text: string): readonly string[] {
  if (text.length > LONGEST) return []
  return text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, "\n")
    .replaceAll(/`[^`\n]*`/g, "`")
    .replaceAll(/"[^"\n]*"|\u201C[^\u201D\n]*\u201D/g, '"')
    .split(/(?<=[.!?]["')]?)\s+|\s*\n+\s*/)
    .map(fold)
    .filter((sentence) => /\p{L}/u.test(sentence))
}

function readingOf(kinds: readonly SentenceKind[]): Reading | undefined {
  const said = new Set(kinds.map(({ kind }) => kind))
  if (said.has("unsure")) return undefined
  // Explanations and thanks don't change what a request or a question is.
  const main = [...said].filter((kind) => kind !== "statement" && kind !== "express" && kind !== "inform")
  const [genre] = main
  if (main.length > 1) return undefined
  if (genre === "direct") return directed(kinds)
  if (genre === "ask") return { genre }
  const [first] = kinds
  if (genre === "commit" || genre === "decide") return first?.kind === genre ? { genre } : undefined
  if (first?.kind === "inform") return { genre: "inform" }
  return kinds.every(({ kind }) => kind === "express") ? { genre: "express" } : undefined
}

/** With a mode, if all requested work has the same one. */
function directed(kinds: readonly SentenceKind[]): Reading {
  const modes = new Set(kinds.flatMap((sentence) => (sentence.kind === "direct" ? [sentence.mode] : [])))
  const [mode] = modes
  return modes.size === 1 && mode !== undefined ? { genre: "direct", mode } : { genre: "direct" }
}
