// Finds words in the text of the whole prompt: Enter goes to the next place, with Shift to the one before.
import type { RefObject } from "preact"
import { count } from "../../parts/figures.ts"
import { MOST_FOUND } from "./find.ts"

export interface FindBarProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly words: string
  readonly found: number
  /** The index of the one that is shown. */
  readonly at: number
  readonly onWords: (words: string) => void
  readonly onStep: (step: 1 | -1) => void
}

export function FindBar({ field, words, found, at, onWords, onStep }: FindBarProps) {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1)
    else if (event.key === "Escape" && words !== "") onWords("")
    else return
    event.preventDefault()
  }
  return (
    <search class="find">
      <input
        ref={field}
        type="text"
        aria-label="Find in this prompt"
        placeholder="Find in this prompt"
        value={words}
        onInput={(event) => onWords(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <span class="find-count quiet small" role="status">
        {words === "" ? "" : found === 0 ? "not in this prompt" : `${count(at + 1)} of ${countOf(found)}`}
      </span>
      <button
        type="button"
        class="plain"
        aria-label="Previous match"
        disabled={found === 0}
        onClick={() => onStep(-1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="plain"
        aria-label="Next match"
        disabled={found === 0}
        onClick={() => onStep(1)}
      >
        ↓
      </button>
    </search>
  )
}

function countOf(found: number): string {
  return found >= MOST_FOUND ? `${count(MOST_FOUND)} or more` : count(found)
}
