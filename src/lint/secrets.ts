// Finds secrets in text that would reach the model and every later reader of the conversation. Tokens of known services
// are recognised by their form, others by their name and their randomness. A diagnostic names the kind, never the value.
import type { Diagnostic } from "../base/diagnostic.ts"
import { privateKeysIn } from "../base/secrets/private-key-text.ts"
import { secretsIn } from "../base/secrets/secret-text.ts"
import { countNewlines } from "../core/model/content.ts"
import type { SourceFile } from "../core/model/source.ts"

/** At most one diagnostic per line. A private key is reported where it begins. */
export function secrets(file: SourceFile): readonly Diagnostic[] {
  const { path, trust: needs, firstLine } = file
  const keys = linesOfKeys(file.text)
  return file.text.split("\n").flatMap((line, offset): readonly Diagnostic[] => {
    const kind = keys.has(offset) ? "a private key" : secretIn(line)
    return kind === undefined ? [] : [{ code: "secret", path, line: firstLine + offset, kind, needs }]
  })
}

/** Counts on from the key before, so that many keys take no longer than one. */
function linesOfKeys(text: string): ReadonlySet<number> {
  const lines = new Set<number>()
  let [line, at] = [0, 0]
  for (const { from } of privateKeysIn(text)) {
    line += countNewlines(text, at, from)
    at = from
    lines.add(line)
  }
  return lines
}

/** The kind of secret that a line seems to contain. */
export function secretIn(line: string): string | undefined {
  return secretsIn(line).find(({ from, to, label }) => {
    const value = line.slice(from, to)
    return label !== undefined && !isExample(value) && !isReference(value)
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
