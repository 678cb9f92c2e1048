// Who takes the tour: a person at a terminal, who sends, skips or leaves; or nobody, in which case it plays on its own.
import { askLine } from "../command-line/ask-line.ts"
import type { Streams, Terminal } from "../terminal.ts"
import { wrap } from "../views/widths.ts"

export type Choice =
  | { readonly kind: "go"; readonly text: string }
  | { readonly kind: "skip" }
  | { readonly kind: "leave" }

export interface Person {
  readonly isThere: boolean
  /** Asks whether to send the proposal; without one, whether to do the step. */
  choose(proposal: string | undefined): Promise<Choice>
  agrees(question: string): Promise<boolean>
}

export const NOBODY: Person = {
  isThere: false,
  choose: async (proposal) => ({ kind: "go", text: proposal ?? "" }),
  agrees: async () => false,
}

export interface PersonOptions {
  readonly streams: Streams
  readonly terminal: Pick<Terminal, "columns">
  /** Aborted when the tour is over. */
  readonly leaving: AbortSignal
  readonly leave: () => void
}

export function personAt({ streams, terminal, leaving, leave }: PersonOptions): Person {
  const ask = (text: string, mark: string) =>
    askLine(streams, mark, {
      above: `\n${wrap(text, terminal.columns).join("\n")}\n`,
      stopping: leaving,
    })
  return {
    isThere: true,
    async choose(proposal) {
      const what = proposal === undefined ? "Enter shows it" : "Enter sends this, or type another message"
      const line = await ask(`${what}; s skips, q quits.`, "> ")
      const text = line?.trim()
      if (text === undefined || text === "q") {
        leave()
        return { kind: "leave" }
      }
      if (text === "s") return { kind: "skip" }
      return { kind: "go", text: text === "" || proposal === undefined ? (proposal ?? "") : text }
    },
    async agrees(question) {
      const line = await ask(question, "[y/N] ")
      if (line === undefined) leave()
      return /^y(es)?$/i.test(line?.trim() ?? "")
    },
  }
}
