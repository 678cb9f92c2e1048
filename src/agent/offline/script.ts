// What the offline model does about one request: calls in steps, each made from what came back so far, then an answer.
import { saidByAll } from "./answer.ts"
import type { Called, OfflineView } from "./view.ts"

export interface Call {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface Script {
  readonly steps: readonly ((done: readonly Called[]) => readonly Call[])[]
  readonly answer: (done: readonly Called[]) => string
}

export interface Intent {
  /** What it does, for the list of what can be done here. */
  readonly can: string
  /** Something to type. */
  readonly example: string
  /** The tool without which it cannot be done. */
  readonly tool?: string
  /** The section of the prompt without which there is nothing to tell. */
  readonly section?: string
  /** Something is different afterwards, so plan mode plans it instead. */
  readonly changes?: true
  readonly patterns: readonly RegExp[]
  /** From the words that the pattern found; nothing if they only looked like it. */
  readonly script: (found: Found, view: OfflineView) => Script | undefined
}

/** The whole request, and what each group of the pattern found, without quotes; empty where it found nothing. */
export interface Found {
  readonly request: string
  readonly groups: readonly string[]
}

/** Patterns for a whole request, in any case. `PATH` is a group for one word, or for several in quotes. */
export function patterns(...sources: readonly string[]): readonly RegExp[] {
  const path = `("[^"]+"|'[^']+'|\`[^\`]+\`|\\S+?)`
  return sources.map((source) => new RegExp(`^(?:${source.replaceAll("PATH", path)})[.?!]*$`, "is"))
}

export function match({ patterns: all, script }: Intent, request: string, view: OfflineView) {
  for (const pattern of all) {
    const found = pattern.exec(request)
    if (found === null) continue
    const groups = found.slice(1).map((group: string | undefined) => unquoted(group ?? ""))
    const made = script({ request, groups }, view)
    if (made !== undefined) return made
  }
  return undefined
}

function unquoted(text: string): string {
  const trimmed = text.trim()
  return /^(["'`]).*\1$/s.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : trimmed
}

export function say(text: string): Script {
  return { steps: [], answer: () => text }
}

/** One call, or several at once, and an answer from what came back. */
export function ask(calls: readonly Call[], answer: Script["answer"] = saidByAll): Script {
  return { steps: [() => calls], answer }
}

/** The name that the tool has for an argument: the first of those that it knows. */
export function argument(
  { tools }: OfflineView,
  tool: string,
  names: readonly [string, ...string[]],
): string {
  return names.find((name) => tools.get(tool)?.includes(name)) ?? names[0]
}
