// Values of flags as text, and the variables that stand in for some of them.
import { resolve } from "node:path"
import type { Terminal } from "../views/terminal.ts"
import type { FlagValues } from "./command.ts"

/** What people set per machine: flags go before variables, variables before the configuration. */
export const VARIABLES: Readonly<Record<string, string>> = {
  workspace: "INCIPIT_WORKSPACE",
  home: "INCIPIT_HOME",
  state: "INCIPIT_STATE_DIR",
  profile: "INCIPIT_PROFILE",
  model: "INCIPIT_MODEL",
}

/** Nothing for a switch, or a flag that is not there. */
export function flagText(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === "string" ? value : undefined
}

/** The flag, else its variable; an empty variable is as good as none. */
export function flagOrVariable(
  flags: FlagValues,
  { env }: Pick<Terminal, "env">,
  name: string,
): string | undefined {
  const variable = VARIABLES[name]
  return flagText(flags, name) ?? ((variable === undefined ? undefined : env[variable]) || undefined)
}

/** The folder that describes the agent: here, unless somebody says otherwise. */
export function workspaceFolder(flags: FlagValues, terminal: Pick<Terminal, "cwd" | "env">): string {
  return resolve(terminal.cwd, flagOrVariable(flags, terminal, "workspace") ?? ".")
}
