// Removes secrets from texts before they are written: the process's own by value, others by form and by the user's
// patterns. Text that cannot be checked is withheld. Every sink of the record gets its texts through here.
import { hash } from "node:crypto"
import { setImmediate as letOthersRun } from "node:timers/promises"
import { secretsIn } from "../../base/secrets/secret-text.ts"
import type { Redact } from "../write/record.ts"
import { marked } from "./mark.ts"
import type { Secrets } from "./secrets.ts"
import { userPatterns } from "./user-patterns.ts"

/** Your own patterns, and secrets known by value. */
export interface RedactorOptions {
  /** The user's own regular expressions; every match is removed. */
  readonly patterns?: readonly string[]
  /** The process's own secrets, by value. */
  readonly secrets?: Pick<Secrets, "redact">
}

/** After this many characters, other work gets its turn. */
const SCAN_CHARACTERS = 100_000
/** Shorter texts are as fast to scan as to look up. */
const KEPT_CHARACTERS = 200
const KEPT_TEXTS = 5_000

/** Makes the function that removes keys and other secrets from what is recorded. Scans equal texts once. */
export function createRedactor({ patterns = [], secrets }: RedactorOptions = {}): Redact {
  const withoutOwn = userPatterns(patterns)
  // By digest, because the texts would keep secrets in memory. Undefined: no secret found.
  const kept = new Map<string, string | undefined>()
  return async (given) => {
    // Before the lookup: a value may have been learned since the text was scanned.
    const texts = secrets === undefined ? given : given.map((text) => secrets.redact(text))
    const keys = texts.map((text) => (text.length < KEPT_CHARACTERS ? "" : hash("sha256", text)))
    const isNew = (text: string, at: number) => text !== "" && !kept.has(keys[at] ?? "")
    // Looked up before the scan: another call may drop an entry during it.
    const known = texts.map((text, at) => kept.get(keys[at] ?? "") ?? text)
    const fresh = [...new Set(texts.filter(isNew))]
    const shown = await withoutSecrets(withoutOwn(fresh))
    const results = new Map(fresh.map((text, at) => [text, shown[at] ?? ""]))
    const redacted = texts.map((text, at) => results.get(text) ?? known[at] ?? text)
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
  let characters = 0
  for (const text of texts) {
    if (characters + text.length > SCAN_CHARACTERS && characters > 0) {
      // Lets the turn's other work run in between.
      await letOthersRun()
      characters = 0
    }
    characters += text.length
    const found = secretsIn(text)
    done.push(found.length === 0 ? text : marked(text, found))
  }
  return done
}
