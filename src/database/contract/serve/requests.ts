// Requests with an idempotency key: each is carried out once, and a repetition gets the same answer.

export interface RequestKey {
  /** Who asks: the same key of another caller is another request. */
  readonly caller: string
  readonly key: string
}

export interface NewRequest extends RequestKey {
  /** Digest of what is asked. */
  readonly digest: string
  /** The turn that is to answer it. A repetition after a crash gets the one of the first attempt. */
  readonly turn: string
  /** How long the first attempt may take before another may repeat it. */
  readonly leaseMs: number
  /** How long the key is known. */
  readonly expiresInMs: number
}

export type RequestBegun =
  | { readonly kind: "begun"; readonly turn: string }
  /** Another attempt is working on it. */
  | { readonly kind: "running"; readonly turn: string }
  | { readonly kind: "answered"; readonly turn: string; readonly answer: string }
  /** The key was used for something else. */
  | { readonly kind: "differs" }

export interface Requests {
  begin(request: NewRequest): Promise<RequestBegun>
  /** `answer`: JSON. The first one stays. */
  answer(key: RequestKey, answer: string): Promise<void>
  /** Lets a failed request be repeated at once. */
  release(key: RequestKey): Promise<void>
}
