// Markdown within a line: emphasis, code, links. Without colours the marks stay, so that nothing is lost.
import type { Token } from "marked"
import type { Style } from "../../views/colour.ts"
import type { Page } from "../../views/page.ts"
import { type Span, span } from "../screen/styled.ts"

type Colouring = Pick<Page, "colour">

export function inlineSpans(
  tokens: readonly Token[] | undefined,
  look: Colouring,
  styles: readonly Style[] = [],
): readonly Span[] {
  return (tokens ?? []).flatMap((token) => tokenSpans(token, look, styles))
}

const MARKS: Readonly<Record<string, { readonly style: Style; readonly mark: string }>> = {
  strong: { style: "bold", mark: "**" },
  em: { style: "italic", mark: "*" },
  del: { style: "strike", mark: "~~" },
}

function tokenSpans(token: Token, look: Colouring, styles: readonly Style[]): readonly Span[] {
  const own = MARKS[token.type]
  if (own !== undefined && "tokens" in token) {
    const inner = inlineSpans(token.tokens, look, look.colour ? [...styles, own.style] : styles)
    return look.colour ? inner : [span(own.mark, ...styles), ...inner, span(own.mark, ...styles)]
  }
  if (token.type === "codespan") {
    const text = plainText(token.text.replaceAll("\n", " "))
    return look.colour ? [span(text, ...styles, "cyan")] : [span(token.raw.replaceAll("\n", " "), ...styles)]
  }
  if (token.type === "link" || token.type === "image") return linkSpans(token, look, styles)
  if (token.type === "br") return [span("\n", ...styles)]
  if ("tokens" in token && token.tokens !== undefined && token.tokens.length > 0)
    return inlineSpans(token.tokens, look, styles)
  const text = token.type === "escape" || token.type === "text" ? tokenText(token) : token.raw
  return [span(plainText(text), ...styles)]
}

/** Always shows the address: a terminal offers no preview of a link. */
function linkSpans(token: Token, look: Colouring, styles: readonly Style[]): readonly Span[] {
  // Links and images have these fields, but `Token` allows for extensions and does not declare them.
  const { href, tokens, text } = token as { href: string; tokens?: Token[]; text: string }
  const shown =
    token.type === "image" ? [span(plainText(text), ...styles)] : inlineSpans(tokens, look, styles)
  const isSame = shown.map((one) => one.text).join("") === href.replace(/^mailto:/, "")
  const underlined = shown.map((one) => span(one.text, ...one.styles, "underline"))
  return isSame ? underlined : [...underlined, span(` (${href.replaceAll("\n", " ")})`, ...styles, "dim")]
}

function tokenText(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
}

/** Keeps line ends: people who write to a chat mean them. */
function plainText(text: string): string {
  return text
    .replaceAll(/ *\n/g, "\n")
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
}
