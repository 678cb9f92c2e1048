// Receipts: what is stored of one request. Texts are named by their digest, and the conversation is a path in a tree, so
// that a step adds only what is new.
import type { Ref } from "../../text-ref.ts"

/** Names a node in the tree of conversations. Only the driver that gave it knows what it is. */
export type NodeName = string | number

/** Names a step. */
export interface StepOfTurn {
  readonly turn: string
  readonly step: number
}

interface ReceiptFacts extends StepOfTurn {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly model: string
}

/** A text that may name others, and those that it names. */
export interface TextTree {
  readonly stored: string
  readonly texts: ReadonlyMap<Ref, string>
}

export interface NewReceipt extends ReceiptFacts {
  readonly session: string
  readonly trust: string
  readonly frame: TextTree
  readonly marks: TextTree
  readonly plan: TextTree
  /** The items of the conversation, first to last. */
  readonly elements: readonly TextTree[]
  /** The first items are the first `shared` of this receipt, whose nodes are known. */
  readonly known?: StepOfTurn & { readonly nodes: readonly NodeName[]; readonly shared: number }
}

export interface ReceiptRow extends ReceiptFacts {
  /** Ids follow the order of calls. */
  readonly id: number
  readonly session: string
  /** As stored: it may be a trust that this version doesn't know. */
  readonly trust: string | null
  /** Named by digest; `row 7` if the text itself is missing. */
  readonly frame: Ref
  readonly marks: Ref
  readonly plan: Ref
  readonly node: NodeName
}

export interface AnsweredReceipt extends ReceiptRow {
  /** Tokens of the last answer. */
  readonly output: number
}

/** A part of the receipts of a session, or of all. */
export interface ReceiptPage {
  readonly session?: string | undefined
  /** Only those before this id. */
  readonly before?: number | undefined
  readonly limit: number
  /** Also of questions that the agent asked beside its turns. */
  readonly withAsides: boolean
}

export interface Receipts {
  /** Without a step, the last one of the turn. */
  find(turn: string, step?: number): Promise<ReceiptRow | undefined>
  /** In the order of steps. */
  ofTurn(turn: string): Promise<readonly ReceiptRow[]>
  /** The receipt before this one in its session: the last one that was answered, or else the last one. */
  before(receipt: Pick<ReceiptRow, "session" | "id">): Promise<ReceiptRow | undefined>
  /** The newest ones, newest first. The work does not grow with the session, nor with the record. */
  page(page: ReceiptPage): Promise<readonly ReceiptRow[]>
  /** How many each of these sessions has; those without any are left out. */
  counts(
    sessions: readonly string[],
    options: Pick<ReceiptPage, "withAsides">,
  ): Promise<ReadonlyMap<string, number>>
  /** The turns of a session that called a model, oldest first. */
  turns(session: string): Promise<readonly string[]>
  /** Those with an answer, by time; `since` is included, `until` is not. */
  answered(range: {
    readonly since: number
    readonly until: number
    readonly session: string | undefined
  }): Promise<readonly AnsweredReceipt[]>
  /** The items of a conversation, first to last. */
  elements(node: NodeName): Promise<readonly Ref[]>
  /** Without those that are missing or cannot be read. The caller checks the digests. */
  texts(refs: readonly Ref[]): Promise<ReadonlyMap<Ref, string>>
}
