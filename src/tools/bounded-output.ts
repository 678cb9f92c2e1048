// Keeps the beginning and the end of an output of any length. The middle is counted and dropped.
import { firstCharacters, lastCharacters } from "../base/text/characters.ts"
import type { Counter } from "../core/model/counter.ts"

/** For each end; more than fits into any answer. */
const KEPT_CHARACTERS = 256 * 1024

export interface BoundedOutput {
  add(text: string): void
  /** All of it, or as much of both ends as fits, with a line between them about what was left out. */
  text(room: number, counter: Counter): string
}

/** `redact`: removes keys while the text is still whole. */
export function boundedOutput(redact: (text: string) => string = (text) => text): BoundedOutput {
  let head = ""
  let tail = ""
  /** Line ends dropped between the two; undefined if nothing was dropped. */
  let forgotten: number | undefined
  return {
    add(text) {
      const free = KEPT_CHARACTERS - head.length
      head += text.slice(0, free)
      tail += text.slice(free)
      if (tail.length <= 2 * KEPT_CHARACTERS) return
      const start = tail.length - KEPT_CHARACTERS
      forgotten = (forgotten ?? 0) + newlines(tail.slice(0, start))
      tail = tail.slice(start)
    },
    text(room, counter) {
      const whole = redact(`${head}${tail}`.replace(/\r?\n$/, ""))
      if (forgotten === undefined && counter.count(whole) <= room) return whole
      const first = firstLines(redact(head), Math.floor(room / 2), counter)
      const last = lastLines(whole.slice(-KEPT_CHARACTERS), Math.floor(room / 2), counter)
      const left = newlines(whole) + (forgotten ?? 0) - newlines(first) - newlines(last) - 1
      return `${first}\n[${left > 0 ? `${left} ${left === 1 ? "line" : "lines"}` : "part of the line"} left out]\n${last}`
    },
  }
}

function newlines(text: string): number {
  return text.split("\n").length - 1
}

/** Whole lines, if at least one fits. */
function firstLines(text: string, room: number, counter: Counter): string {
  const piece = firstCharacters(text, counter.prefix(text, room))
  const end = piece.lastIndexOf("\n")
  return end === -1 ? piece : piece.slice(0, end)
}

function lastLines(text: string, room: number, counter: Counter): string {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (counter.count(text.slice(middle)) <= room) high = middle
    else low = middle + 1
  }
  const piece = lastCharacters(text, text.length - low)
  const end = piece.indexOf("\n")
  return end === -1 ? piece : piece.slice(end + 1)
}
