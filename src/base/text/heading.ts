// A Markdown heading line: `## Title ##`. Looks at each character once, because a regular expression for the trailing
// spaces and hashes takes quadratic time on a hostile line.

export interface Heading {
  readonly level: number
  readonly title: string
}

export function headingOf(line: string): Heading | undefined {
  const [start, marks] = /^ {0,3}(#{1,6})(?![^ \t])/.exec(line) ?? []
  if (start === undefined || marks === undefined) return undefined
  return { level: marks.length, title: withoutClosing(line.slice(start.length).trim()) }
}

/** Trailing hashes close the heading only after a space, so "C#" keeps its hash. */
function withoutClosing(title: string): string {
  let end = title.length
  while (title.charAt(end - 1) === "#") end -= 1
  return end === 0 || /[ \t]/.test(title.charAt(end - 1)) ? title.slice(0, end).trimEnd() : title
}
