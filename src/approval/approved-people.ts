// Who may talk to a server with which trust follows from `users`, `rooms` and `situations`, which are read while it
// runs. A folder that others can reach must not raise anybody's trust by a change that nobody has approved.
import { homedir } from "node:os"
import { isDeepStrictEqual } from "node:util"
import { stampAt } from "../files/identity.ts"
import { approvalsFile } from "../files/paths.ts"
import type { Config } from "../sources/config/config-schema.ts"
import { limitedTo } from "../sources/config/limited-people.ts"
import { type Configured, isServeApproved, needsServeApproval, peopleIn } from "./approvable.ts"

/** Limits a configuration that was read again to the trust that was approved. */
export interface PeopleLimit {
  /** Changes when something is approved: what was limited is to be read again. */
  stamp(): string
  /** The configuration as it is if nothing in it needs approval; otherwise nobody gets more trust than approved. */
  limit(config: Config): Config
}

/** `workspace`: with the configuration that was approved. Returns undefined if it needed no approval. */
export function approvedPeople(workspace: Configured, home: string | undefined): PeopleLimit | undefined {
  if (!needsServeApproval(workspace)) return undefined
  const path = approvalsFile(home ?? homedir())
  let approved = workspace.config
  return {
    stamp: () => stampAt(path) ?? "",
    limit(config) {
      if (isDeepStrictEqual(peopleIn(config), peopleIn(approved))) return config
      if (!isServeApproved({ ...workspace, config }, home)) return limitedTo(config, approved)
      approved = config
      return config
    },
  }
}
