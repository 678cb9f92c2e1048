// The right to work on a session. One worker holds a session at a time, for a limited time that it extends. Every write
// of a holder is checked against its lease, so a worker that lost the session writes nothing more.

export interface Lease {
  readonly session: string
  /** The open agent that holds it. */
  readonly owner: string
  /** Grows with every claim of the session, so that an earlier lease of the same owner is recognised as well. */
  readonly fence: number
}

export interface ClaimOptions {
  readonly owner: string
  readonly leaseMs: number
  /** Holders that are known to be gone: their leases end now. */
  readonly deadOwners?: readonly string[]
}

export type Claim =
  | { readonly kind: "claimed"; readonly lease: Lease }
  /** Another worker has it. If that worker is gone, claim again and name it in `deadOwners`. */
  | { readonly kind: "held"; readonly by: string }
  | { readonly kind: "no-session" }
