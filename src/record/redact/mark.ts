// Marks replace what was redacted from a text, and name what was there. A mark must never be written into a file as if
// it were text: tools check `isRedacted` first.

const MARK = /\[redacted:[a-z0-9-]{1,60}\]/

export function markOf(kind: string): string {
  return `[redacted:${kind}]`
}

/** Whether the text contains a mark. */
export function isRedacted(text: string): boolean {
  return MARK.test(text)
}

export interface SecretSpan {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** The kind named in the mark. */
  readonly kind: string
}

/** Overlapping spans become one mark, named after the longest. */
export function marked(text: string, spans: readonly SecretSpan[]): string {
  const ordered = spans.toSorted((one, other) => one.from - other.from)
  let shown = ""
  let end = 0
  for (let at = 0; at < ordered.length; ) {
    const group = groupAt(ordered, at)
    shown += text.slice(end, group.from) + markOf(group.kind)
    end = group.to
    at += group.count
  }
  return shown + text.slice(end)
}

function groupAt(ordered: readonly SecretSpan[], at: number): SecretSpan & { readonly count: number } {
  const first = ordered[at] ?? { from: 0, to: 0, kind: "secret" }
  let longest = first
  let [to, count] = [first.to, 1]
  for (let next = ordered[at + 1]; next !== undefined && next.from < to; next = ordered[at + count]) {
    if (next.to - next.from > longest.to - longest.from) longest = next
    to = Math.max(to, next.to)
    count += 1
  }
  return { from: first.from, to, kind: longest.kind, count }
}
