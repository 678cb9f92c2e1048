// The file of a client's settings: found, read, and written back whole. Never through a link that leaves the folder whose
// settings they are.
import { existsSync } from "node:fs"
import process from "node:process"
import { IncipitError } from "../../../../base/error.ts"
import { errorCode, reasonOf, unwritable } from "../../../../base/system-error.ts"
import { isInside } from "../../../../files/inside.ts"
import { realPath, writeTarget } from "../../../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../../../files/replace-file.ts"
import { readBytes, withSafeFile } from "../../../../files/safe-file.ts"
import { exact } from "../../../chat/screen/visible.ts"
import type { Terminal } from "../../../terminal.ts"
import type { Scope } from "../mcp-clients.ts"
import type { ClientSettings } from "./client-settings.ts"

export interface SettingsFile {
  /** As the client names it. */
  readonly path: string
  /** Where it is if the path has links. */
  readonly real: string
  /** Undefined if there is no file. */
  readonly bytes: Buffer | undefined
  /** Without the mark at its beginning that some editors write. */
  readonly text: string
}

const BOM = "\ufeff"
/** Clients keep much more than settings in some of these files. */
const MOST_BYTES = 64 * 1024 * 1024
/** Settings may get keys later, so those of one person are theirs alone. */
const MODES: Readonly<Record<Scope, number>> = { project: 0o666, user: 0o600 }

/** Where the client keeps, or would keep, the settings of that scope. */
export function settingsPath(settings: ClientSettings, scope: Scope, terminal: Terminal): string {
  const { cwd, home, env } = terminal
  if (home === undefined && scope === "user")
    throw new IncipitError("bad-argument", "there is no home folder")
  const paths = settings.files(scope, { cwd, home: home ?? cwd, env, platform: process.platform })
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? cwd
}

export function readSettingsFile(path: string, scope: Scope, terminal: Terminal): SettingsFile {
  const real = targetOf(path, scope, terminal)
  const opened = withSafeFile(real, { followsLinks: false, mostBytes: MOST_BYTES }, (file) => readBytes(file))
  if (opened.kind === "absent") return { path, real, bytes: undefined, text: "" }
  if (opened.kind === "unavailable") throw refused(path, `cannot be read: ${reasonOf(opened.reason)}`)
  if (opened.kind === "refused") throw refused(path, REFUSED[opened.refused.why])
  const bytes = opened.value
  const text = bytes.toString("utf8")
  if (!Buffer.from(text).equals(bytes)) throw refused(path, "is not a text in UTF-8")
  return { path, real, bytes, text: text.startsWith(BOM) ? text.slice(1) : text }
}

const REFUSED = {
  outside: "is a link that leads out of its folder",
  link: "is a link",
  "not-a-file": "is not a regular file",
  "too-large": "is larger than 64 MB",
  foreign: "belongs to another user, in a folder that anyone can write to",
} as const

/** A link may lead to another place in the same project, or in the home folder of the same person. */
function targetOf(path: string, scope: Scope, { cwd, home, env }: Terminal): string {
  const real = writeTarget(path)
  if (real === undefined) throw refused(path, "is a link to something that is not there")
  const own = [env.CLAUDE_CONFIG_DIR, env.CODEX_HOME, env.GEMINI_CLI_HOME, env.XDG_CONFIG_HOME, env.APPDATA]
  const folders = scope === "project" ? [cwd] : [home, ...own]
  const isOwn = folders.some((folder) => (folder ?? "") !== "" && isInside(real, realPath(folder ?? "")))
  if (isOwn) return real
  throw refused(
    path,
    `is reached through a link that leads out of ${scope === "project" ? "this folder" : "your home folder"}, to ${real}`,
  )
}

/** `what` completes the sentence that begins with the file. */
export function refused(path: string, what: string): IncipitError {
  return new IncipitError("bad-client-settings", `${exact(path)} ${exact(what)}`)
}

/** Writes nothing if the file is no longer what was read. */
export function writeSettingsFile(file: SettingsFile, text: string, scope: Scope): void {
  const mark = file.bytes?.toString("utf8").startsWith(BOM) ? BOM : ""
  try {
    replaceFile({
      ...{ path: file.real, before: file.bytes, mode: MODES[scope] },
      after: Buffer.from(mark + text),
    })
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof NotReplaced)) throw error
    throw unwritable(exact(file.path), error)
  }
}
