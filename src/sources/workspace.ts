// Gathers an agent from the folder that describes it. Reads files; decides nothing about who may see them.
import { readdirSync, realpathSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { Diagnostic } from "../core/diagnostic.ts"
import { IncipitError } from "../core/error.ts"
import { byCodePoint } from "../core/order.ts"
import type { Agent, Extension, Session, Tool } from "../core/scope.ts"
import type { SourceFile } from "../core/source.ts"
import type { Trust } from "../core/trust.ts"
import { type Config, loadConfig } from "./config.ts"
import { errorCode } from "./file.ts"
import { resolveAudience, type Sender } from "./policy.ts"
import { readSourceFile } from "./source-file.ts"

/** A folder that was opened: its configuration, and where its files are. */
export interface Workspace {
  readonly root: string
  /** The folder of the agent: the root itself, or `agents/<id>` in it. */
  readonly folder: string
  readonly home: string | undefined
  readonly id: string
  readonly config: Config
  readonly diagnostics: readonly Diagnostic[]
}

export interface WorkspaceOptions {
  /** The user's home folder, where `.incipit/` may hold a base of one's own. */
  readonly home?: string
  /** A further agent, in `agents/<id>`. */
  readonly agent?: string
}

export interface Gathered<T> {
  readonly value: T
  readonly diagnostics: readonly Diagnostic[]
}

interface Convention {
  readonly path: string
  readonly role: string
  readonly trust: Trust
}

/** The files whose names have a meaning, with the trust they need unless their frontmatter says more. */
const AGENT_FILES: readonly Convention[] = [
  { path: "IDENTITY.md", role: "identity", trust: "familiar" },
  { path: "SOUL.md", role: "soul", trust: "familiar" },
  { path: "AGENTS.md", role: "behaviour", trust: "familiar" },
  { path: "TOOLS.md", role: "tool-notes", trust: "familiar" },
  { path: "USER.md", role: "user", trust: "inner" },
]
const BASE_FILES: readonly Convention[] = [
  { path: ".incipit/SYSTEM.md", role: "base", trust: "public" },
  { path: ".incipit/APPEND_SYSTEM.md", role: "append", trust: "public" },
]
const RULES: Convention = { path: "rules", role: "rules", trust: "familiar" }

export function openWorkspace(root: string, options: WorkspaceOptions = {}): Workspace {
  const real = folderOf(root, root)
  const { config, diagnostics } = loadConfig(join(real, "incipit.yaml"), "incipit.yaml")
  const folder =
    options.agent === undefined
      ? real
      : folderOf(join(real, "agents", options.agent), join(root, "agents", options.agent))
  return {
    root: real,
    folder,
    home: options.home === undefined ? undefined : realOrUndefined(options.home),
    id: options.agent ?? "main",
    config,
    diagnostics,
  }
}

export function gatherAgent(
  workspace: Workspace,
  registered: { readonly tools?: readonly Tool[]; readonly extensions?: readonly Extension[] } = {},
): Gathered<Agent> {
  const { root, folder, home, id } = workspace
  const reader = fileReader(workspace)
  const files = [
    ...BASE_FILES.flatMap((file) => [
      reader(join(folder, file.path), file),
      home && reader(join(home, file.path), file),
    ]),
    ...AGENT_FILES.map((file) => reader(join(folder, file.path), file)),
    ...markdownBelow(join(folder, RULES.path)).map((path) => reader(path, RULES)),
  ].filter((file) => typeof file === "object")
  const value = { id, files, tools: registered.tools ?? [], extensions: registered.extensions ?? [] }
  const empty: readonly Diagnostic[] =
    files.length === 0 ? [{ code: "no-files", path: shownPath(root, workspace) }] : []
  return { value, diagnostics: [...workspace.diagnostics, ...reader.diagnostics, ...empty] }
}

export interface SessionOptions extends Sender {
  readonly id?: string
  readonly model?: string
  readonly directory?: string
  readonly task?: string
  readonly background?: boolean
  readonly inputs?: Readonly<Record<string, unknown>>
}

export function gatherSession(workspace: Workspace, options: SessionOptions = {}): Gathered<Session> {
  const { folder, config } = workspace
  const { audience, person, overlay, diagnostics } = resolveAudience(config, options, "incipit.yaml")
  const reader = fileReader(workspace)
  const read = (path: string | undefined, role: string, trust: Trust) =>
    path === undefined ? undefined : reader(join(folder, path), { path, role, trust })
  const overlayFile = read(overlay, "situation", "public")
  const family = options.channel?.split(":", 1)[0]
  const files = [
    read(person && `users/${person}/USER.md`, "user", "inner"),
    overlayFile,
    read(family && `channels/${family}.md`, "channel", "public"),
    audience.situation === "system" ? read("HEARTBEAT.md", "heartbeat", "full") : undefined,
  ].filter((file) => file !== undefined)
  const missing: readonly Diagnostic[] =
    overlay !== undefined && overlayFile === undefined
      ? [{ code: "overlay-missing", path: overlay, situation: audience.situation }]
      : []
  const { id = "main", model, directory, task, background, inputs, channel } = options
  const optional = { person, channel, model: model ?? config.model, directory, task, background, inputs }
  const known = Object.fromEntries(Object.entries(optional).filter(([, item]) => item !== undefined))
  return {
    value: { id, audience, files, ...known },
    diagnostics: [...diagnostics, ...reader.diagnostics, ...missing],
  }
}

type FileReader = ((path: string, convention: Convention) => SourceFile | undefined) & {
  readonly diagnostics: Diagnostic[]
}

function fileReader(workspace: Workspace): FileReader {
  const diagnostics: Diagnostic[] = []
  const roots = [workspace.root, ...(workspace.home === undefined ? [] : [join(workspace.home, ".incipit")])]
  const read = (path: string, { role, trust }: Convention): SourceFile | undefined => {
    const found = readSourceFile(path, { role, trust, shown: shownPath(path, workspace), roots, isOwn: true })
    diagnostics.push(...found.diagnostics)
    return found.file
  }
  return Object.assign(read, { diagnostics })
}

/** Markdown files in a folder and below, in code-point order. */
function markdownBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .sort(byCodePoint)
      .map((name) => join(folder, name))
  } catch (error) {
    const code = errorCode(error)
    if (code === "ENOENT" || code === "ENOTDIR") return []
    throw error
  }
}

/** Relative to the workspace, or to the home folder as `~`, with forward slashes. */
function shownPath(path: string, { root, home }: Pick<Workspace, "root" | "home">): string {
  const inHome = home !== undefined && path.startsWith(join(home, ".incipit"))
  const shown = inHome ? join("~", relative(home, path)) : relative(root, path)
  return shown === "" ? "the workspace" : shown.split(sep).join("/")
}

function folderOf(path: string, shown: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    throw new IncipitError("unreadable-workspace", `can not open the workspace ${shown} (${code})`, {
      cause: error,
    })
  }
  throw new IncipitError("unreadable-workspace", `${shown} is not a folder`)
}

function realOrUndefined(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
