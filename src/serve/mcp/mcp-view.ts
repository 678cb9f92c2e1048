// What the tools of the MCP server look at, as one person may see it: made for each caller, by `incipit mcp` for the person
// at this machine, and by `incipit serve` for whoever has the token.
import type { Inspected } from "../../agent/turn/prompt/inspected.ts"
import type { Bill } from "../../capture/bill/bill.ts"
import type { BillProgress } from "../../capture/bill/question.ts"
import type { Explanation } from "../../core/read/explain.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import type { SharedMemory } from "../../memory/shared-memory.ts"
import type { PageSource, Reader } from "../page/page-source.ts"

/** What a server is made of. */
export interface McpServing {
  /** As the asker sees it now: asked for with each request, because what they may see can change in between. */
  readonly view: () => McpView
  /** Hears of failures whose reason the asker doesn't get. */
  readonly failed: (error: unknown) => void
}

export interface McpView {
  readonly reader: Reader
  readonly now: () => number
  /** An IANA name; times are shown in this zone. */
  readonly timeZone: string
  /** Where calls are looked up. The first is asked first. */
  sources(): Promise<readonly PageSource[]>
  /** The conversation that the asker is in, or used last. `client` is what the MCP client calls itself. */
  ownSession(client: string | undefined): Promise<OwnSession | undefined>
  /** Asks the record of the workspace's agent. Rejects if there is none. */
  record<T>(ask: (store: RecordStore) => Promise<T>): Promise<T>
  /** To read memory, which may be empty. */
  memory<T>(ask: (opened: OwnMemory) => Promise<T>): Promise<T>
  /** To add to it. Rejects if the asker may only read. */
  writableMemory<T>(ask: (opened: OwnMemory) => Promise<T>): Promise<T>
  /** The prompt of a new conversation, with what it is made from. Refuses more trust than the asker has. */
  compile(asked: CompileAsked): Promise<CompiledPrompt>
  /** Why something is in that prompt, or isn't: empty if nothing like it is known. */
  explain(what: string): Promise<readonly Explanation[]>
  /** For operators only. */
  readonly bill?: ((asked: BillAsked) => Promise<Bill>) | undefined
}

export interface OwnSession {
  readonly source: PageSource
  readonly session: string
  /** Other sessions of the same folder that were used in the last minutes: one of them may be meant. */
  readonly others: readonly string[]
}

export interface OwnMemory {
  readonly memory: SharedMemory
  /** The author of what is written. */
  readonly by: string
}

/** The prompt with its inputs, hidden files included: only what `view` and `visible` leave of them goes to the asker. */
export type CompiledPrompt = Pick<Inspected, "prompt" | "agent" | "session">

export interface CompileAsked {
  readonly user?: string | undefined
  readonly situation?: string | undefined
  readonly message?: string | undefined
}

export interface BillAsked {
  readonly since: number | undefined
  readonly client: string | undefined
  readonly session: string | undefined
  readonly onProgress: (progress: BillProgress) => void
  readonly signal: AbortSignal
}
