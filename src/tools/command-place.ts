// Where the commands of a session run. The agent implements it; the tools know no more of a sandbox than this.

/** A command for a shell. */
export interface PlacedCommand {
  readonly command: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Receives the output in order, including stderr. */
  readonly print: (text: string) => void
}

export interface CommandEnd {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined
  readonly signal: string | undefined
  /** It timed out. */
  readonly isLate: boolean
  /** It printed more than it may. */
  readonly isTooLong: boolean
  /** A process that it started is still running and could still print. */
  readonly isRunning: boolean
}

export type CommandPlace =
  | { readonly kind: "host" }
  /** It has to be a sandbox, and there is none. */
  | { readonly kind: "refused"; readonly why: string }
  | {
      readonly kind: "sandbox"
      /** `notes`: what the model should know beside the output. */
      run(command: PlacedCommand): Promise<CommandEnd & { readonly notes: readonly string[] }>
    }
