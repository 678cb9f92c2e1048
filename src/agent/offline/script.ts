// What the offline model does about one request: calls in steps, each based on the results so far, then an answer.
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
  /** What it does, for the list of abilities. */
  readonly can: string
  /** An example to type. */
  readonly example: string
  /** The tool that it needs. */
  readonly tool?: string
  /** The section of the prompt that it needs. */
  readonly section?: string
  /** It changes something, so plan mode plans it instead. */
  readonly changes?: true
  readonly patterns: readonly RegExp[]
  /** Built from the words that the pattern matched; undefined if the match was misleading. */
  readonly script: (found: Found, view: OfflineView) => Script | undefined
}

/** The whole request, and the text of each group of the pattern without quotes; empty for a group without a match. */
export interface Found {
  readonly request: string
  readonly groups: readonly string[]
}

/** Patterns for a whole request, ignoring case. `PATH` is a group for one word, or for several in quotes. */
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

/** One call, or several at once, and an answer from the results. */
export function ask(calls: readonly Call[], answer: Script["answer"] = saidByAll): Script {
  return { steps: [() => calls], answer }
}

/** The tool's name for an argument: the first of these that it knows. */
export function argument(
  { tools }: OfflineView,
  tool: string,
  names: readonly [string, ...string[]],
): string {
  return names.find((name) => tools.get(tool)?.includes(name)) ?? names[0]
}
