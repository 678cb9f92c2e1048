// Secrets in text that the model would be told, and whoever reads the conversation after it. Tokens of known
// services are told by their shape, others by the name they are given and how random they look.
// A finding names the kind, never the value.
import type { Diagnostic } from "../core/diagnostic.ts"
import type { SourceFile } from "../core/source.ts"

interface Shape {
  readonly kind: string
  /** The value is the first group, or all of it. Starts where no name goes on, so no text is scanned twice. */
  readonly pattern: RegExp
}

const SHAPES: readonly Shape[] = [
  { kind: "an AWS access key id", pattern: /(?<![\w-])(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?!\w)/g },
  { kind: "a GitHub token", pattern: /(?<![\w-])(?:gh[opsur]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/g },
  { kind: "a GitLab token", pattern: /(?<![\w-])glpat-[\w-]{20,}/g },
  { kind: "a Slack token", pattern: /(?<![\w-])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g },
  { kind: "a Slack webhook", pattern: /hooks\.slack\.com\/services\/(T\w{6,20}\/B\w{6,20}\/\w{16,40})/g },
  { kind: "a Google API key", pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])/g },
  { kind: "an Anthropic key", pattern: /(?<![\w-])sk-ant-[\w-]{20,}/g },
  { kind: "an OpenAI key", pattern: /(?<![\w-])sk-(?=[\w-]{0,200}\d)(?:proj-|svcacct-|admin-)?[\w-]{20,}/g },
  { kind: "a Stripe key", pattern: /(?<![\w-])[rs]k_live_[A-Za-z0-9]{16,}/g },
  { kind: "an npm token", pattern: /(?<![\w-])npm_[A-Za-z0-9]{36}(?!\w)/g },
  { kind: "a Telegram bot token", pattern: /(?<![\w-])\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { kind: "a JSON web token", pattern: /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
]

/** A value that only its name gives away; it must look random as well. */
const NAMED: readonly Shape[] = [
  {
    kind: "a password",
    pattern:
      /(?<![A-Za-z])(?:password|passwd|passphrase|pwd)["'`*]{0,3}\s{0,3}[:=]{1,2}[>*]{0,2}\s{0,3}["'`]?([^\s"'`,;]{8,200})/gi,
  },
  {
    kind: "a key or token",
    pattern:
      /(?<![A-Za-z])(?:api[_-]?key|secret[_-]?key|private[_-]?key|access[_-]?key|secret|token)["'`*]{0,3}\s{0,3}[:=]{1,2}[>*]{0,2}\s{0,3}["'`]?([^\s"'`,;]{8,200})/gi,
  },
  { kind: "a password in an address", pattern: /:\/\/[^\s:/@]{1,100}:([^\s:/@]{8,100})@/g },
]

/** Bits per character: eight different ones have three. */
const MIN_ENTROPY = 3

/** One finding to a line. */
export function secrets(file: SourceFile): readonly Diagnostic[] {
  const { path, trust: needs, firstLine } = file
  const lines = file.text.split("\n")
  return lines.flatMap((line, offset): readonly Diagnostic[] => {
    const kind = isPrivateKey(line, lines[offset + 1]) ? "a private key" : secretIn(line)
    return kind === undefined ? [] : [{ code: "secret", path, line: firstLine + offset, kind, needs }]
  })
}

/** The first line of a block with a key below it; the words alone are an explanation. */
function isPrivateKey(line: string, next = ""): boolean {
  const [, rest] = /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(.*)/.exec(line) ?? []
  if (rest === undefined) return false
  return (
    /^(?:\\n|\s)*[A-Za-z0-9+/=]{20}/.test(rest) ||
    /^\W*(?:[A-Za-z0-9+/=]{20}|[A-Z][A-Za-z-]{3,20}: )/.test(next)
  )
}

/** What kind of secret a line seems to hold. */
export function secretIn(line: string): string | undefined {
  const shape = SHAPES.find(({ pattern }) => valuesOf(line, pattern).some((value) => !isPlaceholder(value)))
  if (shape !== undefined) return shape.kind
  return NAMED.find(({ pattern }) => valuesOf(line, pattern).some(looksRandom))?.kind
}

function valuesOf(line: string, pattern: RegExp): readonly string[] {
  // To search first is far cheaper than to set up a walk over matches, and most lines have none.
  if (line.search(pattern) === -1) return []
  return [...line.matchAll(pattern)].map(([whole, value]) => value ?? whole)
}

/** Shown to explain a shape, or to be filled in. */
function isPlaceholder(value: string): boolean {
  return (
    /example|sample|your|dummy|placeholder|redacted|change-?me|x{4}|\*{3}|\.{3}|…/i.test(value) ||
    entropy(value) < MIN_ENTROPY
  )
}

/** Letters and digits, and no path, address, call or variable. */
function looksRandom(value: string): boolean {
  if (/^[$%<{[(/~.]|:\/\/|[({]/.test(value)) return false
  return /[A-Za-z]/.test(value) && /\d/.test(value) && !isPlaceholder(value)
}

/** Shannon's, by how often each character occurs. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / value.length) * Math.log2(count / value.length),
    0,
  )
}
