// Places in conversations, by names that clients have for them: the id of a response, or the digest of all messages up
// to it. A place is found only with the key of its session, so never by another person or at another trust.
import type { SessionKey } from "../sessions.ts"

export interface NewPlace {
  readonly session: string
  /** The last item of the conversation up to here. */
  readonly seq: number
  readonly turn: string
  /** Such as "resp_…". */
  readonly response?: string | undefined
  /** Digest of the conversation up to here, as the client has it. */
  readonly digest?: string | undefined
}

export interface Place {
  readonly session: string
  readonly seq: number
  readonly turn: string
  /** Whether no message follows its turn. If one does, continue in a fork. */
  readonly isLast: boolean
}

export interface Places {
  /** The first place of a response id stays. */
  remember(place: NewPlace): Promise<void>
  byResponse(key: SessionKey, response: string): Promise<Place | undefined>
  /**
   * The place of the first of these digests that is known: pass the longest prefix first. Of several, one that nothing
   * follows, else the newest.
   */
  byDigest(
    key: SessionKey,
    digests: readonly string[],
  ): Promise<(Place & { readonly digest: string }) | undefined>
}
