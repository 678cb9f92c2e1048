// Removes secrets from texts before they are written: the process's own by value, others by form, by secretlint's rules
// and by the user's patterns. Text that cannot be checked is withheld. Every sink of the record gets its texts through
// here.
import { hash } from "node:crypto"
import { setImmediate as breathe } from "node:timers/promises"
import { secretsIn } from "../../base/secrets/secret-text.ts"
import type { Redact } from "../write/record.ts"
import { type Finding, marked } from "./mark.ts"
import { ownPatterns } from "./own-patterns.ts"
import { foundByRules } from "./secretlint.ts"
import type { Secrets } from "./secrets.ts"

export interface RedactorOptions {
  /** The user's own regular expressions; every match is removed. */
  readonly patterns?: readonly string[]
  /** The process's own secrets, by value. */
  readonly secrets?: Pick<Secrets, "redact">
}

/** Each scan has a fixed cost, so short texts are scanned together. */
const SCAN_CHARACTERS = 100_000
/** No rule matches across this, as none allows a NUL. A rule that accepts any character might, and is checked again. */
const BORDER = "\n\0\n"
/** Shorter texts are as fast to scan as to look up. */
const KEPT_CHARACTERS = 200
const KEPT_TEXTS = 5_000

/** Loads the rules with the first text. Scans equal texts once. */
export function createRedactor({ patterns = [], secrets }: RedactorOptions = {}): Redact {
  const withoutOwn = ownPatterns(patterns)
  // By digest, because the texts would keep secrets in memory. Undefined: no secret found.
  const kept = new Map<string, string | undefined>()
  return async (given) => {
    // Before the lookup: a value may have been learned since the text was scanned.
    const texts = secrets === undefined ? given : given.map((text) => secrets.redact(text))
    const keys = texts.map((text) => (text.length < KEPT_CHARACTERS ? "" : hash("sha256", text)))
    const isNew = (text: string, at: number) => text !== "" && !kept.has(keys[at] ?? "")
    const fresh = [...new Set(texts.filter(isNew))]
    const shown = await withoutSecrets(withoutOwn(fresh))
    const results = new Map(fresh.map((text, at) => [text, shown[at] ?? ""]))
    const redacted = texts.map((text, at) => results.get(text) ?? kept.get(keys[at] ?? "") ?? text)
    for (const [at, key] of keys.entries()) {
      if (key === "") continue
      kept.delete(key)
      kept.set(key, redacted[at] === texts[at] ? undefined : redacted[at])
    }
    for (const key of kept.keys()) {
      if (kept.size <= KEPT_TEXTS) break
      kept.delete(key)
    }
    return redacted
  }
}

async function withoutSecrets(texts: readonly string[]): Promise<readonly string[]> {
  const done: string[] = []
  for (let next = 0; next < texts.length; ) {
    const end = endOfScan(texts, next)
    done.push(...(await scanTogether(texts.slice(next, end))))
    next = end
    // Lets the turn's other work run in between.
    if (next < texts.length) await breathe()
  }
  return done
}

function endOfScan(texts: readonly string[], from: number): number {
  let characters = 0
  let end = from
  while (end < texts.length && (end === from || characters + (texts[end]?.length ?? 0) <= SCAN_CHARACTERS)) {
    characters += (texts[end]?.length ?? 0) + BORDER.length
    end += 1
  }
  return end
}

async function scanTogether(texts: readonly string[]): Promise<readonly string[]> {
  const byRules = await foundByRules(texts.join(BORDER))
  const results: string[] = []
  let start = 0
  for (const text of texts) {
    const own = await ownOf(text, start, byRules)
    const findings = [...own, ...secretsIn(text)]
    results.push(findings.length === 0 ? text : marked(text, findings))
    start += text.length + BORDER.length
  }
  return results
}

/** The findings in one of the texts, relative to it. */
async function ownOf(text: string, start: number, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const end = start + text.length
  const own = findings.filter(({ from, to }) => from < end && to > start)
  // A match across a border is not a secret, but may hide one.
  if (!own.every(({ from, to }) => from >= start && to <= end)) return foundByRules(text)
  return own.map(({ from, to, kind }) => ({ from: from - start, to: to - start, kind }))
}
