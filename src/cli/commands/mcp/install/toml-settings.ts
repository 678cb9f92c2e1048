// Changes one table of a TOML text. Everything else stays byte for byte. The table must have a header of its own; whoever
// calls looks whether the result says what was meant.
import { statementsOf } from "./toml-text.ts"

type Value = string | boolean | readonly string[]

/** A table with its header at the end of the text. */
export function withTable(
  text: string,
  path: readonly string[],
  entry: Readonly<Record<string, Value>>,
): string {
  const eol = eolOf(text)
  const ended = text === "" || text.endsWith("\n") ? text : text + eol
  const gap = ended.trim() === "" || /\n[ \t]*\r?\n$/.test(ended) ? "" : eol
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`)
  return `${ended}${gap}${[`[${path.map(keyText).join(".")}]`, ...lines].join(eol)}${eol}`
}

/** The value of a key in the table, changed or added. */
export function withKey(
  text: string,
  path: readonly string[],
  { key, value }: { readonly key: string; readonly value: Value },
): string {
  const own = read(text).filter(({ header }) => header?.length === path.length && isAt(header, path))
  const pair = own.find((one) => one.kind === "pair" && one.path.length === 1 && one.path[0] === key)
  if (pair?.kind === "pair") return text.slice(0, pair.valueAt) + valueText(value) + text.slice(pair.valueEnd)
  const last = own.at(-1)
  if (last === undefined) return text
  const indent = /[ \t]*$/.exec(text.slice(0, last.at))?.[0] ?? ""
  return `${text.slice(0, last.end)}${eolOf(text)}${indent}${key} = ${valueText(value)}${text.slice(last.end)}`
}

/** Without the table and those inside of it. Comments behind its last line may belong to what follows, and stay. */
export function withoutTable(text: string, path: readonly string[]): string {
  const own = read(text).filter(({ header }) => isAt(header, path))
  return own.reduceRight((before, { at, end }) => withoutLines(before, at, end), text)
}

/** Each statement with the path of the table that it is in, or begins. */
function read(text: string) {
  let header: readonly string[] | undefined
  return statementsOf(text).map((statement) => {
    if (statement.kind === "header") header = statement.path
    return { ...statement, header }
  })
}

function isAt(header: readonly string[] | undefined, path: readonly string[]): boolean {
  return header !== undefined && path.every((name, at) => header[at] === name)
}

/** Without whole lines, and without one of two blank lines that would meet. */
function withoutLines(text: string, at: number, end: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1
  const next = text.startsWith("\r\n", end) ? end + 2 : Math.min(text.length, end + 1)
  const before = text.slice(0, start)
  const after = text.slice(next)
  const isBlankAfter = after === "" || /^[ \t]*\r?\n/.test(after)
  return (isBlankAfter ? before.replace(/(^|\n)[ \t]*\r?\n$/, "$1") : before) + after
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n"
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

/** Strings as JSON writes them are strings of TOML, but for one character. */
function valueText(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`
  return JSON.stringify(value).replaceAll("\u007f", String.raw`\u007f`)
}
