// Finds secrets in text that would reach the model and every later reader of the conversation. Tokens of known services
// are recognised by their form, others by their name and their randomness. A diagnostic names the kind, never the value.
import type { Diagnostic } from "../base/diagnostic.ts"
import { secretsIn } from "../base/secrets/secret-text.ts"
import type { SourceFile } from "../core/model/source.ts"

/** At most one diagnostic per line. */
export function secrets(file: SourceFile): readonly Diagnostic[] {
  const { path, trust: needs, firstLine } = file
  const lines = file.text.split("\n")
  return lines.flatMap((line, offset): readonly Diagnostic[] => {
    const kind = isPrivateKey(line, lines[offset + 1]) ? "a private key" : secretIn(line)
    return kind === undefined ? [] : [{ code: "secret", path, line: firstLine + offset, kind, needs }]
  })
}

/** The first line of a block with a key below it. Without a key, it is only documentation. */
function isPrivateKey(line: string, next = ""): boolean {
  const [, rest] = /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(.*)/.exec(line) ?? []
  if (rest === undefined) return false
  return (
    /^(?:\\n|\s)*[A-Za-z0-9+/=]{20}/.test(rest) ||
    /^\W*(?:[A-Za-z0-9+/=]{20}|[A-Z][A-Za-z-]{3,20}: )/.test(next)
  )
}

/** The kind of secret that a line seems to contain. */
export function secretIn(line: string): string | undefined {
  return secretsIn(line).find(({ from, to }) => {
    const value = line.slice(from, to)
    return !isExample(value) && !isReference(value)
  })?.label
}

/** A reference to an environment variable. Its name must be in capitals, which tells it from a real value. */
function isReference(value: string): boolean {
  return /^["'`]?(?:process\.env|import\.meta\.env|(?:Deno|Bun)\.env|os\.(?:environ|getenv)|ENV)\b(?:\.get)?[.[(]{0,2}["']?[A-Z][A-Z0-9_]{0,80}["'\])`,;]{0,4}$/.test(
    value,
  )
}

/** "YOUR_API_KEY", or short and ending in a sequence such as 123: how people write an example key. */
function isExample(value: string): boolean {
  if (/^(?:(?:bearer|basic|token)\s{1,4})?(?:your|my)(?:[_-][a-z]{1,20}){1,6}$/i.test(value)) return true
  return value.length < 20 && /(?:123|abc|xyz)\d*$/i.test(value)
}
