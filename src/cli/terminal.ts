// The world as a command sees it: two streams, a width, colours or none, and facts about the machine.
import type { Readable, Writable } from "node:stream"
import type { Page } from "./views/page.ts"

export interface Terminal extends Page {
  /** For people, even if it is piped: invisible characters are written out. */
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Data that a program reads back byte by byte. On a terminal it is made safe like everything else. */
  readonly exact: (text: string) => void
  /** Resolves when more may be written to `out` without filling its buffer. */
  readonly drained: () => Promise<void>
  readonly cwd: string
  readonly home: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeZone: string
  readonly now: () => number
  /** Resolves when the user asks to stop. */
  readonly stopped: () => Promise<void>
  /** Runs `work` when the program ends, however it does; `work` must be synchronous. */
  readonly onExit?: (work: () => void) => void
  /** Suspends the program as Ctrl-Z does, where the system supports it. */
  readonly suspend?: () => void
  /** The streams themselves, for an interactive command. */
  readonly streams?: Streams
}

export interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }
}
