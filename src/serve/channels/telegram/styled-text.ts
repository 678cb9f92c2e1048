// An answer as Telegram shows it: plain text with ranges that are bold, italic, code or links. Ranges need no escaping,
// so no answer can break them, and Telegram counts them as JavaScript counts strings.

export interface StyledText {
  readonly text: string
  readonly entities: readonly TextRange[]
}

export interface TextRange {
  readonly type: "bold" | "italic" | "strikethrough" | "code" | "pre" | "text_link"
  readonly offset: number
  readonly length: number
  readonly url?: string
}

// Code first: what looks like markup in it is code. Emphasis only around words, so that `2 * 3 * 4` stays.
// No part may run on past where another could begin, or for long: the time would grow with the square of the length.
const MARKUP =
  /```[^\n`]*\n(?<pre>[\s\S]*?)\n?```|`(?<code>[^`\n]+)`|\*\*(?<bold>\S(?:[^*\n]*\S)?)\*\*|(?<![\p{L}\p{N}_*])(?<mark>[*_])(?<italic>[^\s*_](?:[^*_\n]*[^\s*_])?)\k<mark>(?![\p{L}\p{N}_*])|~~(?<struck>\S(?:[^~\n]*\S)?)~~|\[(?<label>[^[\]\n]+)\]\((?<url>https?:\/\/[^\s)]{1,2000})\)|^#{1,6} +(?<heading>[^\n]+)$/gmu

/** Reads the small part of Markdown that Telegram can show; everything else stays as it is written. */
export function styledText(markdown: string): StyledText {
  const entities: TextRange[] = []
  let text = ""
  let read = 0
  for (const match of markdown.matchAll(MARKUP)) {
    const [type, inner] = rangeOf(match.groups ?? {})
    text += markdown.slice(read, match.index)
    const url = match.groups?.url
    if (inner !== "")
      entities.push({ type, offset: text.length, length: inner.length, ...(url !== undefined && { url }) })
    text += inner
    read = match.index + match[0].length
  }
  return { text: text + markdown.slice(read), entities }
}

function rangeOf(groups: Readonly<Record<string, string | undefined>>): readonly [TextRange["type"], string] {
  const { pre, code, bold, italic, struck, label, heading } = groups
  if (pre !== undefined) return ["pre", pre]
  if (code !== undefined) return ["code", code]
  if (italic !== undefined) return ["italic", italic]
  if (struck !== undefined) return ["strikethrough", struck]
  if (label !== undefined) return ["text_link", label]
  return ["bold", bold ?? heading ?? ""]
}
