// How a client starts the server: the program in a form that works from any folder of this machine, and what the user chose.
import { resolve } from "node:path"
import process from "node:process"
import { IncipitError } from "../../../../base/error.ts"
import { readDatabaseUrl } from "../../../../database/postgres/database-url.ts"
import { packageFile } from "../../../../files/package-file.ts"
import { isBundled } from "../../../../workspace/profile/profile-table.ts"
import type { FlagsOf } from "../../../command-line/invocation.ts"
import { isOnPath } from "../../../command-line/program-name.ts"
import { VARIABLES, workspaceFolder } from "../../../command-line/variables.ts"
import type { Terminal } from "../../../terminal.ts"
import { readerOf } from "../local-view.ts"
import type { Scope } from "../mcp-clients.ts"
import type { ClientSettings } from "./client-settings.ts"

export interface CommandOptions {
  readonly settings: ClientSettings
  readonly scope: Scope
  readonly flags: FlagsOf<"mcp">
  readonly terminal: Terminal
}

/** A command and its arguments. Refuses what the server would refuse when it starts, where nobody would see it. */
export function serverCommand(options: CommandOptions): readonly string[] {
  const { flags, terminal } = options
  const at = (path: string | undefined) => path && resolve(terminal.cwd, path)
  const { profile, database } = flags
  if (flags.as !== undefined || flags.in !== undefined) readerOf(flags, terminal)
  const given = {
    workspace: workspaceFor(options),
    home: at(flags.home),
    profile: profile === undefined || isBundled(profile) ? profile : at(profile),
    as: flags.as,
    in: flags.in,
    state: at(flags.state),
    database: database && withoutPassword(database),
  }
  const args = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
  return [...programFor(terminal), "mcp", ...args]
}

/** By name, or by the paths of this machine: a client starts it without a shell. */
function programFor(terminal: Terminal): readonly string[] {
  // On Windows, npm puts a .cmd file on the path, and only a shell runs one.
  const isFound = process.platform !== "win32" && isOnPath(terminal)
  return isFound ? ["incipit"] : [process.execPath, packageFile("bin/incipit.js")]
}

/**
 * Without one, the server looks at the folder in which the client starts it. People and situations are those of one
 * incipit.yaml, so with them the folder is fixed.
 */
function workspaceFor({ settings, scope, flags, terminal }: CommandOptions): string | undefined {
  const isFixed = [flags.workspace, flags.as, flags.in].some((one) => one !== undefined)
  if (isFixed) return workspaceFolder(flags, terminal)
  return scope === "project" ? settings.folder : undefined
}

/** Settings of a project are shared, and files with settings are copied to other machines. */
function withoutPassword(url: string): string {
  if (readDatabaseUrl(url).password === "") return url
  throw new IncipitError(
    "bad-argument",
    `the password of the database would be written into the client's settings; set ${VARIABLES.database} instead`,
  )
}

/** Where clients and Incipit keep their files, if it isn't the usual place. */
const PLACES = [
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "GEMINI_CLI_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
]

/** The variables that the server needs and that are set here, for a client that passes on none by itself. */
export function neededVariables({ env }: Pick<Terminal, "env">): readonly string[] {
  return [...PLACES, ...Object.values(VARIABLES)].filter((name) => (env[name] ?? "") !== "")
}
