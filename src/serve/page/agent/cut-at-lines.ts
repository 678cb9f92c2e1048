// Cuts the stretches of a plan where the lines that are asked for begin and end, so that their tokens are counted by
// themselves. Pure.
import type { Report, ReportSpan } from "../../../core/read/report.ts"

type Lines = readonly [number, number]

/** Undefined if none of these lines are in it. */
export function cutAtLines(report: Report, path: string, lines: Lines): Report | undefined {
  let isThere = false
  const sections = report.sections.map((section) => {
    const spans = section.spans.flatMap((span) => {
      if (!holds(span, path, lines)) return [span]
      isThere = true
      return cutSpan(span, report.blocks[span.block]?.text ?? "", lines)
    })
    return { ...section, spans }
  })
  return isThere ? { ...report, sections } : undefined
}

function holds({ from, start, end }: ReportSpan, path: string, lines: Lines): boolean {
  if (from === undefined || !("path" in from) || from.path !== path || end <= start) return false
  return from.lines[0] <= lines[1] && from.lines[1] >= lines[0]
}

function cutSpan(span: ReportSpan, text: string, lines: Lines): readonly ReportSpan[] {
  const { from, start, end } = span
  if (from === undefined || !("path" in from)) return [span]
  const [first, last] = from.lines
  const begins = beginsOf(text.slice(start, end), last - first + 1)
  const placeOf = (line: number) => (line > last ? end : start + (begins[line - first] ?? 0))
  const [top, bottom] = [Math.max(first, lines[0]), Math.min(last, lines[1])]
  const cuts = [
    [first, top - 1],
    [top, bottom],
    [bottom + 1, last],
  ] as const
  return cuts
    .filter(([one, other]) => one <= other)
    .map(([one, other]) => ({
      ...span,
      start: placeOf(one),
      end: placeOf(other + 1),
      from: { ...from, lines: [one, other] as const },
    }))
}

/** Where each line begins. If the text has other lines than its file, they are taken to be of one length. */
function beginsOf(text: string, count: number): readonly number[] {
  const begins = [0]
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    begins.push(at + 1)
  if (begins.length === count) return begins
  return Array.from({ length: count }, (_line, at) => Math.floor((text.length * at) / count))
}
