// Our own recordings in the shape of Claude Code's transcripts: functions that make rows, and a file's text of them.

export const SESSION = "0b9f4a54-6d0a-4a7e-9c11-5d2f6a3e8c01"
export const VERSION = "2.1.325"
const START = Date.UTC(2026, 10, 9, 8)

export interface Tokens {
  readonly uncached?: number
  readonly read?: number
  readonly short?: number
  readonly long?: number
  readonly output?: number
}

export function usage({ uncached = 3, read = 0, short = 0, long = 0, output = 20 }: Tokens = {}) {
  return {
    input_tokens: uncached,
    cache_creation_input_tokens: short + long,
    cache_read_input_tokens: read,
    output_tokens: output,
    service_tier: "standard",
    cache_creation: { ephemeral_1h_input_tokens: long, ephemeral_5m_input_tokens: short },
    speed: "standard",
  }
}

export interface AnswerOptions {
  /** The message's id is made of it. */
  readonly n: number
  readonly tokens?: Tokens
  readonly text?: string
  readonly stop?: string | null
  /** Fields of the row, over those that it has anyway. */
  readonly row?: Readonly<Record<string, unknown>>
  readonly message?: Readonly<Record<string, unknown>>
}

export function answer({ n, tokens, text = `Answer ${n}.`, stop = "end_turn", row, message }: AnswerOptions) {
  return {
    parentUuid: `u-${n}`,
    isSidechain: false,
    message: {
      model: "claude-sonnet-5-5",
      id: `msg_${n}`,
      type: "message",
      role: "assistant",
      content: [{ type: "text", text }],
      stop_reason: stop,
      stop_sequence: null,
      usage: usage(tokens),
      ...message,
    },
    requestId: `req_${n}`,
    type: "assistant",
    uuid: `a-${n}`,
    timestamp: at(n),
    userType: "external",
    cwd: "/work/boats",
    sessionId: SESSION,
    version: VERSION,
    gitBranch: "main",
    ...row,
  }
}

export function at(n: number): string {
  return new Date(START + n * 60_000).toISOString()
}

export function lines(rows: readonly unknown[]): string {
  return rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("")
}
