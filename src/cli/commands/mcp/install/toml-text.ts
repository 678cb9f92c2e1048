// Where the statements of a TOML text are: headers of tables, and keys with their values. Only for texts that a parser has
// read without a mistake.
import { parse } from "smol-toml"

export type TomlStatement =
  | {
      readonly kind: "header"
      readonly path: readonly string[]
      /** Of the whole line, without its end. */
      readonly at: number
      readonly end: number
    }
  | {
      readonly kind: "pair"
      readonly path: readonly string[]
      readonly at: number
      readonly valueAt: number
      readonly valueEnd: number
      /** With what follows the value on its line, without the line's end. */
      readonly end: number
    }

export function statementsOf(text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = []
  for (let at = 0; at < text.length; ) {
    const start = at + (/^[ \t\r\n\uFEFF]*/.exec(text.slice(at))?.[0].length ?? 0)
    if (start >= text.length) break
    if (text[start] === "#") {
      at = lineEnd(text, start)
      continue
    }
    const statement = text[start] === "[" ? headerAt(text, start) : pairAt(text, start)
    statements.push(statement)
    at = statement.end
  }
  return statements
}

function headerAt(text: string, at: number): TomlStatement {
  const close = valueEndAt(text, at)
  return { kind: "header", path: pathOf(text.slice(at, close)), at, end: lineEnd(text, close) }
}

function pairAt(text: string, at: number): TomlStatement {
  let equals = at
  while (text[equals] !== "=") equals = isQuote(text[equals]) ? stringEnd(text, equals) : equals + 1
  const valueAt = equals + 1 + (/^[ \t]*/.exec(text.slice(equals + 1, equals + 200))?.[0].length ?? 0)
  const valueEnd = valueEndAt(text, valueAt)
  const path = pathOf(`${text.slice(at, equals)}= 0`)
  return { kind: "pair", path, at, valueAt, valueEnd, end: lineEnd(text, valueEnd) }
}

/** The names that lead to the one thing in it. */
function pathOf(statement: string): readonly string[] {
  const path: string[] = []
  for (let value: unknown = parse(statement); ; ) {
    if (Array.isArray(value)) value = value[0]
    const [entry] = typeof value === "object" && value !== null ? Object.entries(value) : []
    if (entry === undefined) return path
    path.push(entry[0])
    value = entry[1]
  }
}

/** Of a value, or of a header in its brackets: both end with their line, or before a comment. */
function valueEndAt(text: string, start: number): number {
  let depth = 0
  let end = start
  for (let at = start; at < text.length; ) {
    const char = text[at] ?? ""
    if (char === "\n" && depth === 0) break
    if (char === "#") {
      if (depth === 0) break
      at = lineEnd(text, at)
      continue
    }
    if (char === "[" || char === "{") depth += 1
    if (char === "]" || char === "}") depth -= 1
    at = isQuote(char) ? stringEnd(text, at) : at + 1
    if (!/\s/.test(char)) end = at
  }
  return end
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'"
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? ""
  const isLong = text.startsWith(quote.repeat(3), start)
  const close = isLong ? quote.repeat(3) : quote
  for (let at = start + close.length; at < text.length; at += 1) {
    if (quote === '"' && text[at] === "\\") at += 1
    else if (text.startsWith(close, at)) {
      let end = at + close.length
      // A long string may end with quotes of its own.
      while (isLong && text[end] === quote && end < at + 5) end += 1
      return end
    }
  }
  return text.length
}

/** Without the characters that end it. */
function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from)
  if (end === -1) return text.length
  return text[end - 1] === "\r" ? end - 1 : end
}
