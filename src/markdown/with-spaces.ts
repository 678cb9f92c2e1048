// Lines of Markdown as they are read: tabs in front of them are spaces, but not those of code.

/** After what it is nested in: the marks of code, which no other mark follows. */
const FENCE = /^((?:[ >]|[-*+] |\d{1,9}[.)] )*)(`{3,}(?=[^`]*$)|~{3,})(.*)$/

/** Nothing is indented further. */
const MOST_WIDTH = 100

export function withSpaces(lines: readonly string[]): readonly string[] {
  let open: { readonly width: number; readonly marks: string } | undefined
  return lines.map((line) => {
    const spaced = spacedUpTo(line, open?.width ?? line.length)
    const [, before = "", marks, after = ""] = FENCE.exec(spaced) ?? []
    if (marks === undefined) return spaced
    if (open === undefined) open = { width: before.length, marks }
    else if (marks.startsWith(open.marks) && after.trim() === "") open = undefined
    return spaced
  })
}

/** A line with spaces instead of the tabs in front of it, as far as a width. */
export function spacedUpTo(line: string, width: number): string {
  let spaced = line
  const most = Math.min(width, MOST_WIDTH)
  for (let at = 0; at < most && /[ \t]/.test(spaced.charAt(at)); at += 1)
    if (spaced.charAt(at) === "\t")
      spaced = `${spaced.slice(0, at)}${" ".repeat(4 - (at % 4))}${spaced.slice(at + 1)}`
  return spaced
}
