// Environment variables that set some flags for a whole machine.
import { resolve } from "node:path"
import { DATABASE_VARIABLE } from "../../database/postgres/database-url.ts"
import type { Terminal } from "../terminal.ts"

/** Flags override variables, and variables override the configuration. */
export const VARIABLES = {
  workspace: "INCIPIT_WORKSPACE",
  home: "INCIPIT_HOME",
  state: "INCIPIT_STATE_DIR",
  profile: "INCIPIT_PROFILE",
  model: "INCIPIT_MODEL",
  database: DATABASE_VARIABLE,
} as const

/** Flags that have a variable. A command without such a flag still follows the variable. */
export type MachineFlags = { readonly [Name in keyof typeof VARIABLES]?: string | undefined }

/** Each flag, else its variable; an empty variable counts as not set. */
export function withVariables(flags: MachineFlags, { env }: Pick<Terminal, "env">): MachineFlags {
  return {
    workspace: flags.workspace ?? (env[VARIABLES.workspace] || undefined),
    home: flags.home ?? (env[VARIABLES.home] || undefined),
    state: flags.state ?? (env[VARIABLES.state] || undefined),
    profile: flags.profile ?? (env[VARIABLES.profile] || undefined),
    model: flags.model ?? (env[VARIABLES.model] || undefined),
    database: flags.database ?? (env[VARIABLES.database] || undefined),
  }
}

/** The folder that describes the agent; defaults to the working directory. */
export function workspaceFolder(
  flags: Pick<MachineFlags, "workspace">,
  terminal: Pick<Terminal, "cwd" | "env">,
): string {
  return resolve(terminal.cwd, withVariables(flags, terminal).workspace ?? ".")
}

/** The folder to use as the user's home; approvals are stored there. */
export function homeFolder(
  flags: Pick<MachineFlags, "home">,
  terminal: Pick<Terminal, "home" | "env">,
): string | undefined {
  return withVariables(flags, terminal).home ?? terminal.home
}
