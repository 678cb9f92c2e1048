// Cuts a Markdown text by its outline: keeps whole chapters, and lists the others with their cost.
import { fenceLines } from "../../base/text/fence.ts"
import { headingOf } from "../../base/text/heading.ts"
import { sliceParts, type TextPart, textOf } from "../model/content.ts"
import { toolFor } from "../view/reader.ts"
import type { CutOptions } from "./cut-options.ts"
import type { Written } from "./write.ts"

/** A heading and its text up to the next heading. The text before the first heading has level 0. */
interface Chapter {
  readonly start: number
  readonly end: number
  readonly level: number
  readonly title: string
  readonly tokens: number
}

/** Keeps as many chapters as fit, in order. The size of the list of the others is known only once it is written. */
export function cutToHeadings(parts: readonly TextPart[], options: CutOptions): Written | undefined {
  const text = textOf(parts)
  const chapters = chaptersOf(text, options)
  let available = options.limit
  for (let tries = 1; available > 0; tries += 1) {
    const kept = choose(chapters, available)
    if (kept.size === 0) return undefined
    const written = options.write(partsOf({ parts, chapters, kept }, options))
    if (written !== undefined && written.tokens <= options.limit) return written
    available -= Math.max(1, (written?.tokens ?? 0) - options.limit, leastStep(tries))
  }
  return undefined
}

/** Each try writes the text again, so after this many small steps they double, to keep the number of tries low. */
const SMALL_STEPS = 8

function leastStep(tries: number): number {
  return tries <= SMALL_STEPS ? 1 : 2 ** (tries - SMALL_STEPS)
}

/** Takes chapters that still fit, in order. A chapter is kept only with the one above it in the outline. */
function choose(chapters: readonly Chapter[], available: number): ReadonlySet<Chapter> {
  const kept = new Set<Chapter>()
  let left = available
  let above: Chapter[] = []
  for (const chapter of chapters) {
    above = above.filter(({ level }) => level < chapter.level)
    const parent = above.at(-1)
    const fits = chapter.tokens <= left && (parent === undefined || kept.has(parent))
    if (chapter.level > 0) above.push(chapter)
    if (!fits) continue
    kept.add(chapter)
    left -= chapter.tokens
  }
  return kept
}

interface Chosen {
  readonly parts: readonly TextPart[]
  readonly chapters: readonly Chapter[]
  readonly kept: ReadonlySet<Chapter>
}

function partsOf({ parts, chapters, kept }: Chosen, { reader }: CutOptions): readonly TextPart[] {
  const texts = chapters.flatMap((chapter) =>
    kept.has(chapter) ? sliceParts(parts, chapter.start, chapter.end) : [],
  )
  const held = chapters.filter((chapter) => !kept.has(chapter))
  if (held.length === 0) return texts
  const named = held.slice(0, MAX_TITLES).map(({ title, tokens }) => `- ${title} (${tokens} tokens)`)
  const lines = held.length > MAX_TITLES ? [...named, `- and ${held.length - MAX_TITLES} more`] : named
  const paths = new Set(parts.flatMap(({ from }) => (from?.kind === "file" ? [from.path] : [])))
  const [path = ""] = paths
  // Titles don't show which file they are in, so name a file only if there is just one.
  const tool = paths.size === 1 ? toolFor(reader, path) : undefined
  const how = tool === undefined ? "" : ` To see one: ${tool}, ${path}.`
  return [...texts, { text: `\n\n[Left out to fit the budget.${how}\n${lines.join("\n")}]` }]
}

/** The list of titles must not crowd out the text. */
const MAX_TITLES = 12

function chaptersOf(text: string, { counter }: CutOptions): readonly Chapter[] {
  const lines = text.split("\n")
  const fenced = fenceLines(lines)
  const starts: Pick<Chapter, "start" | "level" | "title">[] = []
  let offset = 0
  for (const [at, line] of lines.entries()) {
    const heading = fenced[at] ? undefined : headingOf(line)
    if (heading !== undefined) starts.push({ start: offset, ...heading })
    else if (offset === 0) starts.push({ start: 0, level: 0, title: "Introduction" })
    offset += line.length + 1
  }
  return starts.flatMap((start, at) => {
    const end = starts[at + 1]?.start ?? text.length
    const own = text.slice(start.start, end)
    return own.trim() === "" ? [] : [{ ...start, end, tokens: counter.count(own) }]
  })
}
