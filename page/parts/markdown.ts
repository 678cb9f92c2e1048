// Makes markup of Markdown, which models write and which may be hostile: the one place of the page that does. `marked`
// reads it, `dompurify` keeps what is on the list, and what is left can neither load nor run anything.
import DOMPurify from "dompurify"
import { Lexer, Parser, type Token, type TokensList } from "marked"

/** A part of a text that is drawn by itself, such as a paragraph or a list: while a text grows, only its last changes. */
export interface MarkdownBlock {
  /** Where it begins in the text. */
  readonly start: number
  readonly source: string
  readonly tokens: readonly Token[] | undefined
}

/** A longer text is shown as it is. */
const MOST_CHARACTERS = 100_000
/** Marked's work grows with the square of what is in one paragraph. */
const MOST_INLINE = 4_000
/** The same for lines without an empty one between them, such as a list that goes on and on. */
const MOST_LINES = 1_000
/** A table with so many cells in a row takes a browser minutes. */
const TOO_WIDE = /^(?:[^\n|]*\|){500}/m
/** What is read again for each word that comes, while a text grows. */
const MOST_GROWING = 20_000
/** A line that begins with so many marks of lists and quotes is no list: reading it takes seconds, or fails. */
const TOO_DEEP = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])[ \t])){20}/m

/** The blocks of a text. `isOpen`: more of it is coming, so its end is completed as far as it can be told. */
export function markdownBlocks(given: string, isOpen = false): readonly MarkdownBlock[] {
  const text = withPlainBreaks(given)
  if (text.length > MOST_CHARACTERS) return [{ start: 0, source: text, tokens: undefined }]
  return blocksFrom(isOpen ? completed(text) : text, 0)
}

/** The same for a text that has grown since: blocks that cannot change any more are not read again. */
export function grownBlocks(before: readonly MarkdownBlock[], given: string): readonly MarkdownBlock[] {
  const text = withPlainBreaks(given)
  const settled = before.slice(0, -2)
  const last = settled.at(-1)
  const start = last === undefined ? 0 : last.start + last.source.length
  const isSame = settled.every((one) => text.startsWith(one.source, one.start))
  if (text.length > MOST_CHARACTERS || !isSame) return markdownBlocks(text, true)
  const rest = text.slice(start)
  if (rest.length > MOST_GROWING) return [...settled, { start, source: rest, tokens: undefined }]
  return [...settled, ...blocksFrom(completed(rest), start)]
}

function withPlainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n")
}

function blocksFrom(text: string, start: number): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  let at = start
  for (const token of tokensOf(text)) {
    const tokens = token.type === "raw" ? undefined : [token]
    if (token.type !== "space") blocks.push({ start: at, source: token.raw, tokens })
    at += token.raw.length
  }
  return blocks
}

/** One token that is shown as it is, if marked cannot read the text: it throws for some that are nested deeply. */
function tokensOf(text: string): readonly Token[] {
  if (TOO_DEEP.test(text) || TOO_WIDE.test(text) || longestRun(text) > MOST_LINES) return [asItIs(text)]
  try {
    const lexer = new Lexer({ gfm: true, breaks: true })
    const tokens: TokensList = lexer.tokens
    lexer.blockTokens(text, tokens)
    for (let at = 0; at < lexer.inlineQueue.length; at += 1) readInline(lexer, at)
    return tokens.some(({ raw }, at) => at === 0 && !text.startsWith(raw)) ? [asItIs(text)] : tokens
  } catch {
    return [asItIs(text)]
  }
}

/** The most lines without an empty one between them. */
function longestRun(text: string): number {
  let [longest, run] = [0, 0]
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at)
    const end = newline === -1 ? text.length : newline
    run = /^[ \t]*$/.test(text.slice(at, end)) ? 0 : run + 1
    longest = Math.max(longest, run)
    at = end + 1
  }
  return longest
}

function readInline(lexer: Lexer, at: number): void {
  const { src, tokens } = lexer.inlineQueue[at] ?? { src: "", tokens: [] }
  if (src.length > MOST_INLINE) tokens.push({ type: "text", raw: src, text: src, escaped: false })
  else lexer.inlineTokens(src, tokens)
}

function asItIs(text: string): Token {
  return { type: "raw", raw: text }
}

/**
 * What is written so far, without what would look like something else until the next words come: the beginning of a
 * list is not an underlined heading, and a half link is its text.
 */
function completed(text: string): string {
  const lineStart = text.lastIndexOf("\n") + 1
  const line = text.slice(lineStart)
  if (/^\s*(?:[-=*+_#>|~`]{1,3}|\d{1,3}[.)]?)\s*$/.test(line) && !isInFence(text))
    return text.slice(0, lineStart)
  if (isInFence(text)) return text
  const paragraph = text.slice(text.lastIndexOf("\n\n") + 1)
  const half = /!?\[([^[\]\n]{0,500})(?:\](?:\([^)\s]{0,2000})?)?$/.exec(paragraph.slice(-MOST_HALF))
  const whole = half === null ? text : text.slice(0, text.length - half[0].length) + (half[1] ?? "")
  return whole + missingEnd(paragraph)
}

/** The longest beginning of a link that is looked for. */
const MOST_HALF = 2_510

function isInFence(text: string): boolean {
  return (text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1
}

/** What closes emphasis and code that is still open at the end. */
function missingEnd(paragraph: string): string {
  if (paragraph.length > MOST_INLINE) return ""
  if ((paragraph.match(/`/g)?.length ?? 0) % 2 === 1) return paragraph.endsWith("`") ? "" : "`"
  const isStrong = (paragraph.match(/\*\*/g)?.length ?? 0) % 2 === 1
  return isStrong && /\*\*\S[^*]*\S$/.test(paragraph) ? "**" : ""
}

const ALLOWED_TAGS = [
  ...["p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "ul", "ol", "li"],
  ...["strong", "em", "del", "a", "table", "thead", "tbody", "tr", "th", "td"],
]

/** The markup of a block, as nodes to put into the page. Text that cannot be marked up is in it as it is. */
export function markdownNodes({ source, tokens }: MarkdownBlock): Node {
  if (tokens === undefined) return plainNode(source)
  const html = htmlOf(tokens)
  if (html === undefined) return plainNode(source)
  const nodes = DOMPurify.sanitize(html, {
    ...{
      ALLOWED_TAGS,
      ALLOWED_ATTR: ["href", "start", "align"],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
    },
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
    RETURN_DOM_FRAGMENT: true,
  })
  finish(nodes)
  return nodes
}

function plainNode(text: string): Node {
  const block = document.createElement("p")
  block.className = "as-it-is"
  block.textContent = text
  return block
}

const parser = new Parser({ gfm: true, breaks: true })
// Tags that a model writes are text, and pictures are links: nothing is loaded from elsewhere.
parser.renderer.html = ({ raw }) => escaped(raw)
parser.renderer.image = ({ href, text }) =>
  `<a href="${escaped(href)}">${escaped(text === "" ? "image" : `image: ${text}`)}</a>`
parser.renderer.checkbox = ({ checked }) => (checked ? "☑ " : "☐ ")

function htmlOf(tokens: readonly Token[]): string | undefined {
  try {
    return parser.parse([...tokens])
  } catch {
    // Nested too deeply.
    return undefined
  }
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}

/** Links lead out of the page, tables can be scrolled, code can be copied. */
function finish(nodes: DocumentFragment): void {
  for (const link of nodes.querySelectorAll("a")) finishLink(link)
  for (const code of nodes.querySelectorAll("pre")) withCopyButton(code)
  for (const table of nodes.querySelectorAll("table")) scrollable(table, "Table")
  for (const heading of nodes.querySelectorAll("h1, h2, h3, h4, h5, h6")) lowered(heading)
}

function finishLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute("href")
  if (href === null) {
    link.replaceWith(...link.childNodes)
    return
  }
  link.target = "_blank"
  link.rel = "noopener noreferrer"
  // The host as the browser asks for it: letters that only look like others are written out.
  link.title = link.href
  const named = hostNamed(link.textContent)
  if (link.hostname !== "" && named !== undefined && named !== link.hostname)
    link.append(` (${link.hostname})`)
}

/** The host that a link's text says it leads to; undefined if it says something else. */
function hostNamed(text: string): string | undefined {
  const named =
    /^(?:\w{1,20}:\/\/)?(?:[^\s/@]{0,200}@)?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})(?=[:/?#\s]|$)/u
  return named.exec(text.trim().slice(0, 500))?.[1]?.toLowerCase()
}

function withCopyButton(code: HTMLElement): void {
  const text = code.textContent.replace(/\n$/, "")
  const box = scrollable(code, "Code")
  const button = document.createElement("button")
  button.type = "button"
  button.className = "plain copy"
  button.textContent = "Copy"
  button.addEventListener("click", () => void copy(text, button))
  const frame = document.createElement("div")
  frame.className = "code"
  box.replaceWith(frame)
  frame.append(box, button)
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => "Copied",
    () => "Not allowed",
  )
}

/** A box of its own, which the keyboard can scroll. */
function scrollable(inner: HTMLElement, name: string): HTMLElement {
  const box = document.createElement("div")
  box.className = "scrolls"
  box.tabIndex = 0
  box.setAttribute("role", "group")
  box.setAttribute("aria-label", name)
  inner.replaceWith(box)
  box.append(inner)
  return box
}

/** The page's own headings come first. */
function lowered(heading: Element): void {
  const lower = document.createElement(`h${Math.min(6, Number(heading.tagName.slice(1)) + 2)}`)
  lower.append(...heading.childNodes)
  heading.replaceWith(lower)
}
