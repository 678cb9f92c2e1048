// Which database a deployment uses: the one of a flag or an option, else of the variable, else of incipit.yaml once it is
// approved. A folder from elsewhere must not decide where conversations are stored, and with whose credentials.
import { isDatabaseApproved } from "../approval/approvable.ts"
import { IncipitError } from "../base/error.ts"
import { DATABASE_VARIABLE, shownUrl } from "../database/postgres/database-url.ts"
import type { Workspace } from "../sources/workspace.ts"

export interface DatabaseChoice {
  /** From a flag or an option. */
  readonly given: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workspace: Pick<Workspace, "config" | "root" | "home">
  /** Where approvals are kept. */
  readonly home: string | undefined
}

/** Returns undefined if the state is in files. */
export function chosenDatabase({ given, env, workspace, home }: DatabaseChoice): string | undefined {
  const named = given ?? (env[DATABASE_VARIABLE] || undefined)
  if (named !== undefined) return named
  const { database } = workspace.config
  if (database === undefined) return undefined
  if (isDatabaseApproved(workspace, home)) return database
  // Not with files instead: the conversations would be in two places.
  throw new IncipitError(
    "not-approved",
    `incipit.yaml names the database ${shownUrl(database)}, which you have not approved`,
  )
}
