// How the tail announces a change to the head: as the whole new text, or as the lines that differ from the text sent
// last. That text is the baseline's plus a patch, so each change is relative to the previous one.
import { diffLines, type Hunk, onceIn, type Patch, patched, patchOf } from "../../base/text/line-diff.ts"
import { sliceParts, type TextPart, textOf } from "../model/content.ts"
import { isRun, type Written } from "../write/write.ts"

export interface UpdateInput {
  /** The section's text in the baseline. Empty if it isn't in there. */
  readonly baseline: string
  /** Turns the baseline's text into the text sent last. Undefined if that isn't known. */
  readonly patch: Patch | undefined
  readonly now: Written
  readonly bare: boolean
}

export interface UpdateForms {
  /** Each form contains the whole change. */
  readonly forms: readonly (readonly TextPart[])[]
  /** Turns the baseline's text into the current one. */
  readonly patch: Patch
}

export function updateForms({ baseline, patch, now, bare }: UpdateInput): UpdateForms {
  const parts = now.items.filter(isRun).flatMap((run) => run.parts)
  const body = bare ? parts : parts.slice(1, -1)
  const first = linesOf(bare ? baseline : withoutEnvelope(baseline, parts))
  const lines = linesOf(textOf(body))
  const hunks = diffLines(first, lines)
  const last = patch && patched(first, patch)
  const forms = [
    [{ text: last?.length === 0 ? "New:\n" : "Now reads:\n" }, ...body],
    ...(last === undefined || last.length === 0 ? [] : [lineForm(last, lines, body)]),
    ...(hunks.length === 0 ? [[{ text: "Applies again as it was first sent." }]] : []),
  ]
  return { forms, patch: patchOf(hunks, lines) }
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n")
}

/** Strips the section's envelope: the update has its own. */
function withoutEnvelope(text: string, parts: readonly TextPart[]): string {
  const [open, close] = [parts[0]?.text ?? "", parts.at(-1)?.text ?? ""]
  return text.startsWith(open) && text.endsWith(close) ? text.slice(open.length, -close.length) : text
}

const INTRO = 'Changed since it was last sent ("-" is gone, "+" is new):\n'

function lineForm(
  last: readonly string[],
  now: readonly string[],
  body: readonly TextPart[],
): readonly TextPart[] {
  const paths = new Set(body.flatMap(({ from }) => (from?.kind === "file" ? [from.path] : [])))
  const once = onceIn(last)
  const starts = [0]
  for (const line of now) starts.push((starts.at(-1) ?? 0) + line.length + 1)
  const sent = diffLines(last, now).flatMap((hunk, index): readonly TextPart[] => {
    const start = starts[hunk.to] ?? 0
    const path = paths.size > 1 ? pathAt(body, start) : undefined
    const mark = path === undefined ? (index === 0 ? "" : "@@\n") : `@@ ${path}\n`
    const removed = last.slice(hunk.at, hunk.at + hunk.removed).map((line) => `-${line}\n`)
    const added = now.slice(hunk.to, hunk.to + hunk.added).flatMap((line, at): readonly TextPart[] => {
      const from = starts[hunk.to + at] ?? 0
      return [{ text: "+" }, ...sliceParts(body, from, from + line.length), { text: "\n" }]
    })
    return [{ text: `${mark}${contextOf(hunk, last, once)}${removed.join("")}` }, ...added]
  })
  return [{ text: INTRO }, ...sent]
}

function pathAt(body: readonly TextPart[], offset: number): string | undefined {
  // Tags around a file have no provenance, so use the text after them, or else the text before, to find the file.
  const near = [
    ...sliceParts(body, offset, Number.POSITIVE_INFINITY),
    ...sliceParts(body, 0, offset).toReversed(),
  ]
  const found = near.find(({ from }) => from?.kind === "file")?.from
  return found?.kind === "file" ? found.path : undefined
}

const LONGEST_CONTEXT = 100

/** The line before a change, if the removed lines don't show where it is. */
function contextOf(
  { at, removed }: Hunk,
  last: readonly string[],
  once: ReadonlyMap<string, number>,
): string {
  const gone = last[at] ?? ""
  if (removed > 0 && gone.trim() !== "" && once.has(gone)) return ""
  let above = at - 1
  while (above >= 0 && last[above]?.trim() === "") above -= 1
  const before = last[above]
  if (before === undefined) return ""
  const shown = [...before].slice(0, LONGEST_CONTEXT).join("")
  return ` ${shown === before ? before : `${shown}...`}\n`
}
