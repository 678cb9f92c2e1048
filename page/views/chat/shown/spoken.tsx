// What a screen reader says of a conversation: whole sentences of the answer as they are finished, and what needs the
// reader. Tokens would be noise.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Entry } from "../turns/entry.ts"
import { inputLine } from "./tool-input.ts"

const MOST_LINES = 8

export interface SpokenProps {
  /** Of the turn that runs, or has just ended; undefined before the first. */
  readonly turn: string | undefined
  readonly entries: readonly Entry[]
  /** What else happened, said once. */
  readonly news: string | undefined
}

export function Spoken({ turn, entries, news }: SpokenProps) {
  const [lines, setLines] = useState<readonly { readonly at: number; readonly text: string }[]>([])
  const said = useRef({ turn, sentences: turn === undefined ? 0 : sentencesOf(entries).length, count: 0 })
  const say = (texts: readonly string[]) => {
    if (texts.length === 0) return
    const next = texts.map((text) => {
      said.current.count += 1
      return { at: said.current.count, text }
    })
    setLines((before) => [...before, ...next].slice(-MOST_LINES))
  }
  useEffect(() => {
    const own = said.current
    if (own.turn !== turn) Object.assign(own, { turn, sentences: 0 })
    const sentences = sentencesOf(entries)
    say(sentences.slice(own.sentences))
    own.sentences = Math.max(own.sentences, sentences.length)
  }, [turn, entries])
  useEffect(() => say(news === undefined ? [] : [news]), [news])
  return (
    <div class="spoken" aria-live="polite" role="log" aria-label="Answer">
      {lines.map(({ at, text }) => (
        <p key={at}>{text}</p>
      ))}
    </div>
  )
}

/** Those that are finished, in their order; their number never falls while a turn runs. */
function sentencesOf(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry): readonly string[] => {
    if (entry.kind === "answer") return sentencesIn(entry.text, entry.isOpen)
    if (entry.kind === "line") return [entry.text]
    if (entry.kind === "tool") return [`Tool ${entry.name} ${inputLine(entry.input)}`.slice(0, 200)]
    return []
  })
}

function sentencesIn(text: string, isOpen: boolean): readonly string[] {
  const plain = text.replaceAll(/```[^\n]*|^[ \t]*(?:[-*+#>]+|\d+[.)])[ \t]|[*_`|]+/gm, "")
  const pieces = plain.split(/(?<=[.!?…:])\s+|\n+/)
  const whole = isOpen ? pieces.slice(0, -1) : pieces
  return whole.map((one) => one.replaceAll(/\s+/g, " ").trim()).filter((one) => one !== "")
}
