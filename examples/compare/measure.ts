// What can be measured about a program from outside: the lines of its source, and the requests that it sent.
import { readFileSync } from "node:fs"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { type Body, contentOf, type Recorded } from "./server.ts"
import { SECRET, TURNS } from "./task.ts"

/** Where a program's own work ends, and what it can say about it begins. */
const ANSWERS = "// What it can answer"

export interface Lines {
  readonly task: number
  readonly answers: number
}

/** Lines with code, formatted by Biome. Blank lines, comments and imports do not count. */
export function linesOf(file: URL): Lines {
  const source = readFileSync(file, "utf8").replaceAll(/^import\b[^"]*"[^"]*"$/gm, "")
  const [task = "", answers = ""] = source.split(ANSWERS)
  return { task: codeLines(task), answers: codeLines(answers.slice(answers.indexOf("\n") + 1)) }
}

function codeLines(text: string): number {
  return text.split("\n").filter((line) => !/^\s*(?:\/\/.*|\/\*.*\*\/|\*.*)?$/.test(line)).length
}

export interface Sent {
  readonly calls: number
  /** Bytes at the beginning of the request that are the same in all calls. */
  readonly sharedByAll: number
  readonly bytes: number
  /** Of these, the bytes that do not repeat the beginning of the call before: no prefix cache can have them. */
  readonly newBytes: number
  /** The most tokens of a call that are neither tools nor conversation. */
  readonly largestContext: number
  readonly leaks: number
}

export function measure(requests: readonly Recorded[]): Sent {
  const texts = requests.map(({ body }) => inPrefixOrder(body))
  const shared = texts.slice(1).map((text, at) => commonPrefix(text, texts[at] ?? ""))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const bytes = sum(texts.map((text) => text.length))
  return {
    calls: requests.length,
    sharedByAll: Math.min(...texts.map((text) => commonPrefix(text, texts[0] ?? ""))),
    bytes,
    newBytes: bytes - sum(shared),
    largestContext: Math.max(...requests.map(({ body }) => contextTokens(body))),
    leaks: texts.filter((text) => text.includes(SECRET)).length,
  }
}

/** Providers cache the tools, then the system text, then the conversation. All text here is ASCII: a unit is a byte. */
function inPrefixOrder({ tools, instructions = "", input, messages = [] }: Body): string {
  return [tools, instructions, ...(input ?? messages)].map((item) => JSON.stringify(item)).join("\n")
}

function commonPrefix(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

/** The system text, and what is sent around the newest question. */
function contextTokens({ instructions = "", input, messages = [] }: Body): number {
  const items = input ?? messages
  const answered = items.findLastIndex((item) => item.role === "assistant" && contentOf(item) !== "")
  const texts = items.filter(
    ({ role }, at) => role === "system" || role === "developer" || (role === "user" && at > answered),
  )
  const questions = TURNS.map(({ question }) => question)
  return [instructions, ...texts.map(contentOf)]
    .map((text) => questions.reduce((left, question) => left.replace(question, ""), text))
    .reduce((total, text) => total + countTokens(text), 0)
}
