// Flag values as text, and the environment variables that replace some flags.
import { resolve } from "node:path"
import type { Terminal } from "../views/terminal.ts"
import type { FlagValues } from "./command.ts"

/** Settings per machine: flags override variables, and variables override the configuration. */
export const VARIABLES: Readonly<Record<string, string>> = {
  workspace: "INCIPIT_WORKSPACE",
  home: "INCIPIT_HOME",
  state: "INCIPIT_STATE_DIR",
  profile: "INCIPIT_PROFILE",
  model: "INCIPIT_MODEL",
}

/** Undefined for a switch, or for a flag that was not given. */
export function flagText(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === "string" ? value : undefined
}

/** The flag, else its variable; an empty variable counts as not set. */
export function flagOrVariable(
  flags: FlagValues,
  { env }: Pick<Terminal, "env">,
  name: string,
): string | undefined {
  const variable = VARIABLES[name]
  return flagText(flags, name) ?? ((variable === undefined ? undefined : env[variable]) || undefined)
}

/** The folder that describes the agent; defaults to the working directory. */
export function workspaceFolder(flags: FlagValues, terminal: Pick<Terminal, "cwd" | "env">): string {
  return resolve(terminal.cwd, flagOrVariable(flags, terminal, "workspace") ?? ".")
}
