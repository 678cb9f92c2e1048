// Where the page finds calls. Each source answers in the same form: what our own agent recorded, what was captured of
// other clients, a saved report, a folder as it is now. A source shows a reader only what that reader may see.
import type { Caller } from "../auth/caller.ts"
import type {
  CallDetail,
  CallPage,
  Carried,
  CostsBy,
  SessionPage,
  ShownCosts,
  Simulated,
  SourceId,
} from "./shown.ts"

/** Who looks. Only operators see what others said, and what was withheld and why. */
export type Reader = Pick<Caller, "user" | "situation" | "trust" | "scopes" | "from">

export interface CallsAsked {
  readonly session: string
  /** From `CallPage.earlier`: the calls before these. */
  readonly before?: string | undefined
  readonly limit: number
}

export interface LinesAsked {
  readonly path: string
  /** First and last line, from 1. */
  readonly lines: readonly [number, number]
  /** Only the calls of this session. */
  readonly session?: string | undefined
  /** Ends looking: whoever asked has left. */
  readonly signal?: AbortSignal | undefined
}

export interface CostsAsked {
  readonly by: CostsBy
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Only the calls of this session. */
  readonly session?: string | undefined
  /** For days. */
  readonly timeZone: string
}

export interface PageSource {
  readonly id: SourceId
  readonly title: string
  sessions(
    reader: Reader,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<SessionPage>
  /** Undefined for a session that doesn't exist, or that this reader may not see. */
  calls(reader: Reader, asked: CallsAsked): Promise<CallPage | undefined>
  call(reader: Reader, id: string): Promise<CallDetail | undefined>
  /** Every call that these lines of a file rode in. */
  carried(reader: Reader, asked: LinesAsked): Promise<Carried>
  /** Where the money went. Undefined for a session that doesn't exist, or that this reader may not see. */
  costs(reader: Reader, asked: CostsAsked): Promise<ShownCosts | undefined>
  /** What the calls of a session would have cost in other ways. Undefined as above. */
  simulated(reader: Reader, session: string): Promise<Simulated | undefined>
  /** Calls the listener when something changed, for sources that do not come with live events. */
  watch?(listener: () => void): () => void
}
