// Who may see everything: full trust and the scope for operating. Everybody else sees what is theirs.
import type { Caller } from "../auth/caller.ts"

export function isOperator({ trust, scopes }: Pick<Caller, "trust" | "scopes">): boolean {
  return trust === "full" && scopes.includes("operate")
}
