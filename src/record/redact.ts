// Takes secrets out of texts before they are written: by the rules of secretlint, which others maintain, and by the
// user's own patterns. What can not be checked is not let through. A mark says what stood there, and no mark may be
// written into a file as if it were the text: tools ask `isRedacted` first.
import { hash } from "node:crypto"
import { setImmediate as breathe } from "node:timers/promises"
import { createContext, Script } from "node:vm"
import { IncipitError } from "../core/error.ts"
import type { Redact } from "./record.ts"

export interface RedactorOptions {
  /** Regular expressions of the user's own; all that matches is taken out. */
  readonly patterns?: readonly string[]
}

interface Finding {
  readonly from: number
  readonly to: number
  /** What the mark says of it. */
  readonly kind: string
}

const MARK = /\[redacted:[a-z0-9-]{1,60}\]/
const RULES = "@secretlint/secretlint-rule-preset-recommend"

/** One scan has a price of its own, so short texts are scanned together. */
const SCAN_CHARACTERS = 100_000
/** No rule goes on over this, as none allows a NUL. One that takes any character may, and is looked at again. */
const BORDER = "\n\0\n"
/** Shorter texts are as fast to scan as to look up. */
const KEPT_CHARACTERS = 200
const KEPT_TEXTS = 5_000

const PATTERN_CHARACTERS = 500
/** For all texts that were given together. A pattern can be made to take years, and nothing else runs meanwhile. */
const PATTERN_MS = 100
/** If that was not enough: for all of them again, one by one. */
const SINGLE_MS = 200

/** Whether the text has the mark of something that was taken out. */
export function isRedacted(text: string): boolean {
  return MARK.test(text)
}

/** The rules are loaded with the first text. The same text is looked at once. */
export function createRedactor({ patterns = [] }: RedactorOptions = {}): Redact {
  const withoutOwn = ownPatterns(patterns)
  // By digest, not by text: it would keep the secrets, and all else, in memory. Nothing: there was no secret.
  const kept = new Map<string, string | undefined>()
  return async (texts) => {
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

function ownPatterns(sources: readonly string[]): (texts: readonly string[]) => readonly string[] {
  if (sources.length === 0) return (texts) => texts
  const context = createContext({ patterns: sources.map(compilePattern), texts: [] })
  // Only here can a pattern that takes too long be stopped.
  const script = new Script(
    `texts.map((text) => patterns.reduce((left, pattern) => left.replace(pattern, (found) => found && "[redacted:own]"), text))`,
  )
  const inTime = (texts: readonly string[], timeout: number): readonly string[] | undefined => {
    try {
      context.texts = texts
      // The script maps strings to strings.
      return [...(script.runInContext(context, { timeout }) as readonly string[])]
    } catch (error) {
      if (isTimeout(error)) return undefined
      throw error
    }
  }
  const oneByOne = (texts: readonly string[]): readonly string[] => {
    const end = performance.now() + SINGLE_MS
    return texts.map((text) => {
      const left = end - performance.now()
      // A part of what is left, so that one bad text does not use up the time of all others.
      const shown = left > 0 ? inTime([text], Math.ceil(left / 4)) : undefined
      return shown?.[0] ?? "[redacted:timeout]"
    })
  }
  return (texts) => inTime(texts, PATTERN_MS) ?? oneByOne(texts)
}

/** The error may be of another realm than our own `Error`. */
function isTimeout(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
}

function compilePattern(source: string): RegExp {
  const refuse = (why: string) =>
    new IncipitError("bad-configuration", `the pattern ${source.slice(0, 80)} ${why}`)
  if (source.length > PATTERN_CHARACTERS) throw refuse(`has more than ${PATTERN_CHARACTERS} characters`)
  try {
    const pattern = new RegExp(source, "g")
    if ("".search(pattern) === 0) throw refuse("matches the empty text")
    return pattern
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse("is no regular expression")
    throw error
  }
}

async function withoutSecrets(texts: readonly string[]): Promise<readonly string[]> {
  const done: string[] = []
  for (let next = 0; next < texts.length; ) {
    const end = endOfScan(texts, next)
    done.push(...(await scanTogether(texts.slice(next, end))))
    next = end
    // The turn's own work comes in between.
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
  const findings = await findSecrets(texts.join(BORDER))
  if (findings.length === 0) return texts
  const results: string[] = []
  let start = 0
  for (const text of texts) {
    const end = start + text.length
    const own = findings.filter(({ from, to }) => from < end && to > start)
    const isOwn = own.every(({ from, to }) => from >= start && to <= end)
    const shifted = own.map(({ from, to, kind }) => ({ from: from - start, to: to - start, kind }))
    // What runs over a border is nobody's secret, but may hide one.
    results.push(mark(text, isOwn ? shifted : await findSecrets(text)))
    start = end + BORDER.length
  }
  return results
}

async function findSecrets(text: string): Promise<readonly Finding[]> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ])
  const rules = [{ id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } }]
  const { messages } = await lintSource({
    // Nobody's text may switch the rules off. As long as it was, so that the ranges hold.
    source: {
      content: text.replaceAll(/secretlint-/gi, "secretlint_"),
      filePath: "text",
      ext: "",
      contentType: "text",
    },
    options: { config: { rules: [{ id: RULES, rule: creator, rules }] }, noPhysicFilePath: true },
  })
  return messages
    .map(({ range: [from, to], ruleId }) => ({ from, to, kind: kindOf(ruleId) }))
    .sort((one, other) => one.from - other.from || other.to - one.to)
}

/** `@secretlint/secretlint-rule-aws` to `aws`. */
function kindOf(ruleId: string): string {
  const name = ruleId.replace(/^.*secretlint-rule-/, "").replace(/[^a-z0-9-]/g, "")
  return name === "" ? "secret" : name.slice(0, 60)
}

function mark(text: string, findings: readonly Finding[]): string {
  let shown = ""
  let at = 0
  for (const { from, to, kind } of findings) {
    // Two rules may find the same, or parts of it.
    if (from >= at) shown += `${text.slice(at, from)}[redacted:${kind}]`
    at = Math.max(at, to)
  }
  return shown + text.slice(at)
}
