// When a tool's run counts as started: from then on it may have taken effect, and after a crash it is not run again. A
// run that waits for an approval has done nothing, so it does not count, and the next process asks again.
import type { ToolRun, ToolRuns } from "../../../database/contract/runs.ts"
import type { Work } from "../work.ts"

export interface RunStart {
  readonly isStarted: boolean
  /** Stores that the run has started. Throws if it was stopped before. */
  start(): Promise<void>
  /** Asks a person. Before the tool has done anything, the run counts as started only once there is an answer. */
  whileAsked<T>(ask: () => Promise<T>): Promise<T>
}

export interface RunStartOptions {
  readonly runs: Pick<ToolRuns, "start" | "withdraw">
  readonly run: ToolRun
  readonly signal: AbortSignal
  /** Whether the tool asks before it does anything. */
  readonly asksFirst: boolean
}

export function runStart(
  { lease }: Pick<Work, "lease">,
  { runs, run, signal, asksFirst }: RunStartOptions,
): RunStart {
  let isStarted = false
  let hasAsked = false
  const start = async () => {
    signal.throwIfAborted()
    // Before the store has it: whoever looks meanwhile must not take it for one that never starts.
    isStarted = true
    await runs.start(lease, run)
  }
  return {
    get isStarted() {
      return isStarted
    },
    start,
    async whileAsked(ask) {
      if (isStarted && (hasAsked || !asksFirst)) return ask()
      hasAsked = true
      if (isStarted) await runs.withdraw(lease, run)
      isStarted = false
      const answer = await ask()
      await start()
      return answer
    },
  }
}
