// Which lines of a Markdown text are inside a code fence. Cuts and headings must ignore those lines.

interface Fence {
  readonly mark: string
  readonly length: number
  /** Nothing follows the marks, so the line can close a fence. */
  readonly isBare: boolean
}

/** Where a fence may start: indented at most as Markdown allows, or at any depth, as inside list items. */
type Indent = "left" | "any"

/** For each line, whether it belongs to a fence. The opening and closing lines do. */
export function fenceLines(lines: readonly string[], indent: Indent = "left"): readonly boolean[] {
  let open: Fence | undefined
  return lines.map((line) => {
    const found = fenceOf(line, indent)
    if (open === undefined) {
      open = found
      return found !== undefined
    }
    if (found !== undefined && closes(found, open)) open = undefined
    return true
  })
}

/** The lines that open a fence which is never closed. After each of them, the text counts as plain again. */
export function unclosedFences(lines: readonly string[]): ReadonlySet<number> {
  const fences = lines.map((line) => fenceOf(line, "left"))
  const longestAfter = longestClosers(fences)
  const unclosed = new Set<number>()
  let open: Fence | undefined
  for (const [at, fence] of fences.entries()) {
    if (fence === undefined) continue
    if (open !== undefined) {
      if (closes(fence, open)) open = undefined
    } else if ((longestAfter[at]?.[fence.mark] ?? 0) >= fence.length) open = fence
    else unclosed.add(at)
  }
  return unclosed
}

/** For each line, the longest run of each mark after it that could close a fence. */
function longestClosers(fences: readonly (Fence | undefined)[]): readonly Readonly<Record<string, number>>[] {
  let longest: Readonly<Record<string, number>> = {}
  return fences
    .toReversed()
    .map((fence) => {
      const after = longest
      if (fence?.isBare) longest = { ...after, [fence.mark]: Math.max(after[fence.mark] ?? 0, fence.length) }
      return after
    })
    .reverse()
}

const PATTERNS: Readonly<Record<Indent, RegExp>> = {
  left: /^ {0,3}(`{3,}|~{3,})(.*)$/,
  any: /^\s*(`{3,}|~{3,})(.*)$/,
}

function fenceOf(line: string, indent: Indent): Fence | undefined {
  const [, run, rest = ""] = PATTERNS[indent].exec(line) ?? []
  if (run === undefined) return undefined
  // A backtick in the info string makes the line inline code, not a fence.
  if (run.startsWith("`") && rest.includes("`")) return undefined
  return { mark: run.charAt(0), length: run.length, isBare: rest.trim() === "" }
}

function closes(found: Fence, open: Fence): boolean {
  return found.isBare && found.mark === open.mark && found.length >= open.length
}
