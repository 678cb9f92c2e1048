// Which lines of a Markdown text stand inside a code fence. Cuts and headings must not look in there.

interface Fence {
  readonly mark: string
  readonly length: number
}

/** For each line, whether it belongs to a fence, its opening and closing lines included. */
export function fenceLines(lines: readonly string[]): readonly boolean[] {
  let open: Fence | undefined
  return lines.map((line) => {
    const found = fenceOf(line)
    if (open === undefined) {
      open = found
      return found !== undefined
    }
    if (found !== undefined && closes(found, open, line)) open = undefined
    return true
  })
}

/** The line, from `start` on, that opens a fence which is never closed. */
export function unclosedFence(lines: readonly string[], start: number): number | undefined {
  let open: (Fence & { readonly at: number }) | undefined
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? ""
    const found = fenceOf(line)
    if (found === undefined) continue
    if (open === undefined) open = { ...found, at }
    else if (closes(found, open, line)) open = undefined
  }
  return open?.at
}

function fenceOf(line: string): Fence | undefined {
  const match = /^ {0,3}(`{3,}|~{3,})/.exec(line)
  const run = match?.[1]
  if (run === undefined) return undefined
  const mark = run.charAt(0)
  // An info string with a backtick in it makes the line inline code, not a fence.
  if (mark === "`" && line.slice(line.indexOf(run) + run.length).includes("`")) return undefined
  return { mark, length: run.length }
}

function closes(found: Fence, open: Fence, line: string): boolean {
  return (
    found.mark === open.mark && found.length >= open.length && line.trim() === found.mark.repeat(found.length)
  )
}
