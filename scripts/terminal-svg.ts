// Renders a part of a terminal's screen as SVG: the text in its place, in the colours of a dark terminal, so that it is
// readable on any page. Independent of what is on the screen.
import type { IBufferCell, Terminal } from "@xterm/headless"

/** In pixels: the size of a cell, the margin, and the baseline of the text in its row. */
const [WIDE, HIGH, MARGIN, BASE] = [8.4, 18, 16, 13]
const PAGE = { back: "#0d1117", edge: "#30363d", text: "#e6edf3" } as const
/** The first eight colours of a terminal. */
const COLOURS = ["#6e7681", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#e6edf3"]
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

interface Run {
  readonly column: number
  readonly cells: number
  readonly text: string
  readonly style: string
}

export function terminalSvg(
  { buffer: { active }, cols }: Terminal,
  { title, from, to }: { readonly title: string; readonly from: number; readonly to: number },
): string {
  const rows = Array.from({ length: to - from }, (_, at) => {
    const line = active.getLine(from + at)
    const found = Array.from({ length: cols }, (_cell, column) => line?.getCell(column))
    return runsOf(found).flatMap((run) => drawn(run, at))
  })
  const [width, height] = [2 * MARGIN + cols * WIDE, 2 * MARGIN + rows.length * HIGH]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="14" fill="${PAGE.text}">
<title>${escaped(title)}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${PAGE.back}" stroke="${PAGE.edge}"/>
${rows.flat().join("\n")}
</svg>
`
}

/** Merges adjacent cells of one style; blanks are not drawn. */
function runsOf(cells: readonly (IBufferCell | undefined)[]): readonly Run[] {
  const runs: Run[] = []
  for (const [column, cell] of cells.entries()) {
    // The second half of a wide character has no width.
    if (cell === undefined || cell.getWidth() === 0) continue
    const text = cell.getChars() || " "
    const style = styleOf(cell)
    const last = runs.at(-1)
    const isSame = last?.style === style && isBlock(last.text) === isBlock(text)
    if (last !== undefined && isSame && (!isBlock(text) || last.text.endsWith(text)))
      runs[runs.length - 1] = { ...last, text: last.text + text, cells: last.cells + cell.getWidth() }
    else runs.push({ column, cells: cell.getWidth(), text, style })
  }
  return runs.flatMap(trimmed)
}

function trimmed(run: Run): readonly Run[] {
  const text = run.text.trim()
  const before = run.text.length - run.text.trimStart().length
  const after = run.text.length - run.text.trimEnd().length
  return text === "" ? [] : [{ ...run, text, column: run.column + before, cells: run.cells - before - after }]
}

function styleOf(cell: IBufferCell): string {
  const colour = cell.isFgPalette() ? COLOURS[cell.getFgColor() % 8] : undefined
  return [
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(cell.isDim() ? ['fill-opacity="0.65"'] : []),
    ...(cell.isBold() ? ['font-weight="bold"'] : []),
    ...(cell.isItalic() ? ['font-style="italic"'] : []),
    ...(cell.isUnderline() ? ['text-decoration="underline"'] : []),
  ].join(" ")
}

function isBlock(text: string): boolean {
  return /^[█▓]+$/.test(text)
}

/** A bar is drawn as one shape: fonts leave gaps between its cells. */
function drawn({ column, cells, text, style }: Run, row: number): readonly string[] {
  const [x, y, width] = [rounded(MARGIN + column * WIDE), MARGIN + row * HIGH, rounded(cells * WIDE)]
  if (isBlock(text)) {
    const shade = text.startsWith("▓") ? ' fill-opacity="0.7"' : ""
    return [`<rect x="${x}" y="${y + 2}" width="${width}" height="${HIGH - 4}" ${style}${shade}/>`]
  }
  return [
    `<text x="${x}" y="${y + BASE}" textLength="${width}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"${style === "" ? "" : ` ${style}`}>${escaped(text)}</text>`,
  ]
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
