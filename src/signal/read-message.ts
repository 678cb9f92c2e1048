// How the default profile reads a message: a genre, and the mode of the work if it asks for some, only where the form of
// its sentences makes that sure. Otherwise nothing: a wrong reading steers worse than none. English only; text in
// another language fits no form. The rules of `classify`, which always answer, are another thing.
import { fold } from "./keywords.ts"
import { kindOf, type SentenceKind } from "./sentence-kind.ts"
import type { SignalGenre, SignalMode } from "./signal.ts"

export interface Reading {
  readonly genre: SignalGenre
  /** What kind of work is asked for; only with `direct`. */
  readonly mode?: SignalMode
}

/** In a longer text anything may stand further down. */
const LONGEST = 2_000
const MOST_SENTENCES = 12

export function readMessage(text: string): Reading | undefined {
  const sentences = sentencesOf(text)
  if (sentences.length === 0 || sentences.length > MOST_SENTENCES) return undefined
  return readingOf(sentences.map(kindOf))
}

/** The sentences of a message, folded, without what it quotes: code and quotations are not said by the sender. */
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
  // What explains a request or a question takes nothing from it, nor does a word of thanks.
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

/** With its mode, if all that is asked for is of one. */
function directed(kinds: readonly SentenceKind[]): Reading {
  const modes = new Set(kinds.flatMap((sentence) => (sentence.kind === "direct" ? [sentence.mode] : [])))
  const [mode] = modes
  return modes.size === 1 && mode !== undefined ? { genre: "direct", mode } : { genre: "direct" }
}
