// As whom a caller looks at the record.
import type { Sight } from "../../../database/contract/record/event-log.ts"
import type { Caller } from "../../auth/caller.ts"
import { isOperator } from "../operator.ts"

/** Undefined for an operator, who sees everything. The record calls the owner by that name. */
export function sightOf(
  caller: Pick<Caller, "user" | "trust" | "scopes">,
  session: string,
): Sight | undefined {
  return isOperator(caller) ? undefined : { session, user: caller.user ?? "owner", trust: caller.trust }
}
