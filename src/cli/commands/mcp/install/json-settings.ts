// Changes one property of a JSON text. Everything else stays byte for byte: comments, order, blanks, line ends.
import { type JsonObject, type JsonProperty, type JsonText, readJsonText } from "./json-text.ts"

/** Puts a value at the path, into the objects that are there, or into new ones. The text must be an object. */
export function withProperty(text: string, path: readonly string[], value: unknown): string {
  const json = objectIn(text)
  let object = json.root
  for (const [depth, key] of path.entries()) {
    const found = object.properties.findLast((one) => one.key === key)
    const below = path.slice(depth + 1)
    if (found === undefined) {
      const nested = below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
      return inserted({ ...json, text, object }, key, nested)
    }
    if (found.object === undefined || below.length === 0)
      return replaced(
        text,
        found,
        below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value),
      )
    object = found.object
  }
  return text
}

/** Returns the text as it is if nothing is there. */
export function withoutProperty(text: string, path: readonly string[]): string {
  const json = objectIn(text)
  let object: JsonObject | undefined = json.root
  for (const key of path.slice(0, -1)) object = object?.properties.findLast((one) => one.key === key)?.object
  const at = object?.properties.findLastIndex((one) => one.key === path.at(-1)) ?? -1
  return object === undefined || at === -1 ? text : removed({ ...json, text, object }, at)
}

/** Whoever calls has looked whether it is one. */
function objectIn(text: string): JsonText & { readonly root: JsonObject } {
  const json = readJsonText(text)
  if ("mistake" in json || json.root === undefined) throw new Error("the text is not a JSON object")
  return { ...json, root: json.root }
}

interface Place {
  readonly text: string
  readonly bare: string
  readonly object: JsonObject
}

function inserted({ text, bare, object }: Place, key: string, value: unknown): string {
  const last = object.properties.at(-1)
  const closeAt = object.end - 1
  // Behind the last comment.
  const at = text.slice(0, closeAt).trimEnd().length
  const hasComma = last !== undefined && bare.slice(last.valueEnd, closeAt).includes(",")
  const before =
    last === undefined || hasComma
      ? text.slice(0, at)
      : `${text.slice(0, last.valueEnd)},${text.slice(last.valueEnd, at)}`
  // Whoever ends lists with a comma does so behind the new last property, too.
  const comma = hasComma ? "," : ""
  const style = styleOf(text)
  const own = text.slice(object.at, object.end)
  const isInLines = own.includes("\n") || (object.properties.length === 0 && style.isInLines)
  if (!isInLines) {
    const gap = /[,:] /.test(bare.slice(object.at, object.end)) || last === undefined ? " " : ""
    const blank = last === undefined || gap === " " ? " " : ""
    const rest = last === undefined ? ` ${text.slice(closeAt)}` : text.slice(at)
    return `${before}${blank}${JSON.stringify(key)}:${gap}${inOneLine(value)}${comma}${rest}`
  }
  const { eol, unit } = style
  const outer = indentAt(text, object.at)
  const indent = indentOf(text, object.properties[0]) ?? outer + unit
  const rest = /\n[ \t]*$/.test(text.slice(at, closeAt))
    ? text.slice(at)
    : `${eol}${outer}${text.slice(closeAt)}`
  return `${before}${eol}${indent}${JSON.stringify(key)}: ${inLines(value, indent, style)}${comma}${rest}`
}

function replaced(text: string, { keyAt, valueAt, valueEnd }: JsonProperty, value: unknown): string {
  const isInLines = text.slice(valueAt, valueEnd).includes("\n")
  const now = isInLines ? inLines(value, indentAt(text, keyAt), styleOf(text)) : inOneLine(value)
  return text.slice(0, valueAt) + now + text.slice(valueEnd)
}

function removed({ text, bare, object }: Place, at: number): string {
  const [before, property, after] = [at - 1, at, at + 1].map((one) => object.properties[one])
  if (property === undefined) return text
  const rest = bare.slice(property.valueEnd, after?.keyAt ?? object.end - 1)
  const own = rest.indexOf(",")
  let end = own === -1 ? property.valueEnd : property.valueEnd + own + 1
  let start = property.keyAt
  const line = /\n[ \t]*$/.exec(text.slice(0, start))
  const lineEnd = /^[ \t]*(?=\r?\n)/.exec(text.slice(end))
  if (line !== null && lineEnd !== null) {
    start = text.slice(0, line.index).endsWith("\r") ? line.index - 1 : line.index
    end += lineEnd[0].length
  } else if (after !== undefined) end += /^ ?/.exec(text.slice(end))?.[0].length ?? 0
  else if (before !== undefined) start -= /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0
  // The comma before it separated the two.
  const comma = before === undefined ? -1 : bare.indexOf(",", before.valueEnd)
  if (before === undefined && after === undefined) {
    const inside = text.slice(object.at + 1, start) + text.slice(end, object.end - 1)
    return text.slice(0, object.at + 1) + (inside.trim() === "" ? "" : inside) + text.slice(object.end - 1)
  }
  if (after !== undefined || own !== -1 || comma === -1) return text.slice(0, start) + text.slice(end)
  return text.slice(0, comma) + text.slice(comma + 1, start) + text.slice(end)
}

interface Style {
  readonly eol: string
  /** One level. */
  readonly unit: string
  readonly isInLines: boolean
}

function styleOf(text: string): Style {
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit: /\n([ \t]+)"/.exec(text)?.[1] ?? "  ",
    isInLines: text.trim().includes("\n") || /^\s*\{\s*\}\s*$/.test(text),
  }
}

/** Undefined if the property doesn't begin its line. */
function indentOf(text: string, property: JsonProperty | undefined): string | undefined {
  return property && /\n([ \t]*)$/.exec(text.slice(0, property.keyAt))?.[1]
}

/** Of the line in which the place is. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? ""
}

function inLines(value: unknown, indent: string, { eol, unit }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent)
}

function inOneLine(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value)
  return `[${value.map((one) => JSON.stringify(one)).join(", ")}]`
}
