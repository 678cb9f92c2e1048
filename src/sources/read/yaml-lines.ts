// Line numbers of a parsed YAML document: of an offset, and of every value.
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter } from "yaml"
import type { ValueLines } from "../../core/model/source.ts"

export function lineCounterOf(text: string): LineCounter {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1)
  return lines
}

/** A value in a map is where its key is. */
export function valueLines(document: Document, lineAt: (offset: number) => number): ValueLines {
  const linesOf = (value: unknown, place: unknown, around: number): ValueLines => {
    const line = isNode(place) && place.range ? lineAt(place.range[0]) : around
    const below = isMap(value)
      ? value.items.map((pair) => [keyOf(pair.key), linesOf(pair.value, pair.key, line)] as const)
      : isSeq(value)
        ? value.items.map((item, at) => [String(at), linesOf(item, item, line)] as const)
        : []
    return below.length === 0 ? { line } : { line, below: new Map(below) }
  }
  return linesOf(document.contents, document.contents, 1)
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}
