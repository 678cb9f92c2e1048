// Secrets in text that the model would be told, and whoever reads the conversation after it. Tokens of known
// services are told by their shape, others by the name they are given and how random they look.
// A finding names the kind, never the value.
import type { Diagnostic } from "../base/diagnostic.ts"
import { secretsIn } from "../base/secrets/secret-text.ts"
import type { SourceFile } from "../core/model/source.ts"

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
  return secretsIn(line).find(({ from, to }) => {
    const value = line.slice(from, to)
    return !isExample(value) && !isReference(value)
  })?.label
}

/** A variable of the environment, as programs name it: in capitals, which tells it from what is put in its place. */
function isReference(value: string): boolean {
  return /^["'`]?(?:process\.env|import\.meta\.env|(?:Deno|Bun)\.env|os\.(?:environ|getenv)|ENV)\b(?:\.get)?[.[(]{0,2}["']?[A-Z][A-Z0-9_]{0,80}["'\])`,;]{0,4}$/.test(
    value,
  )
}

/** "YOUR_API_KEY", or short and counting up: how people write a key that is none, to show where one goes. */
function isExample(value: string): boolean {
  if (/^(?:(?:bearer|basic|token)\s{1,4})?(?:your|my)(?:[_-][a-z]{1,20}){1,6}$/i.test(value)) return true
  return value.length < 20 && /(?:123|abc|xyz)\d*$/i.test(value)
}
