// A heading of Markdown, as a line says it: `## Title ##`. Looks at each character once, since a pattern for the spaces and
// hashes at the end takes the square of the time on a hostile line.

export interface Heading {
  readonly level: number
  readonly title: string
}

export function headingOf(line: string): Heading | undefined {
  const [start, marks] = /^ {0,3}(#{1,6})(?![^ \t])/.exec(line) ?? []
  if (start === undefined || marks === undefined) return undefined
  return { level: marks.length, title: withoutClosing(line.slice(start.length).trim()) }
}

/** Hashes at the end close the heading if a space stands before them; those of "C#" are its own. */
function withoutClosing(title: string): string {
  let end = title.length
  while (title.charAt(end - 1) === "#") end -= 1
  return end === 0 || /[ \t]/.test(title.charAt(end - 1)) ? title.slice(0, end).trimEnd() : title
}
