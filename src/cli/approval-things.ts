// What an incipit.yaml names that is used only after a yes, of all kinds, with what somebody should see of it first.
// Runs nothing of it, and approves nothing.
import { relative, sep } from "node:path"
import { type Approvable, approvables } from "../agent/approvable.ts"
import { type ApprovalKind, approvedDigests } from "../agent/approvals.ts"
import { profileModule } from "../agent/profile-table.ts"
import type { Diagnostic } from "../core/diagnostic.ts"
import type { Digest } from "../core/digest.ts"
import { type CodeModule, findModule } from "../hooks/code-module.ts"
import { findHooks } from "../hooks/load.ts"
import type { Workspace } from "../sources/workspace.ts"
import { exact } from "./chat/visible.ts"
import { plural, thousands } from "./terminal.ts"

/** What each kind is called. */
export const WORDS: Readonly<Record<ApprovalKind, string>> = {
  hook: "module",
  profile: "profile",
  mcp: "MCP server",
  provider: "provider",
  otlp: "OTLP endpoint",
  directory: "folder",
  schedule: "timetable",
}
// The keys of that table are the kinds.
export const KINDS = Object.keys(WORDS) as readonly ApprovalKind[]

/** What somebody may say yes to, with what they should see of it. */
export interface Thing {
  readonly kind: ApprovalKind
  readonly name: string
  readonly path: string
  readonly digest: Digest
  /** What it may be called. */
  readonly names: readonly string[]
  readonly view: readonly string[]
}

/** The findings are about modules of hooks. */
export async function thingsIn(
  workspace: Workspace,
): Promise<{ readonly things: readonly Thing[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { config, root } = workspace
  const { modules, diagnostics } = await findHooks(config.hooks ?? [], root)
  const path = profileModule(config)
  const profile = path === undefined ? undefined : await findModule(path, root)
  const things = [
    ...modules.map((module) => moduleThing("hook", module, root)),
    ...(profile !== undefined && "module" in profile ? [moduleThing("profile", profile.module, root)] : []),
    ...approvables(workspace).map(otherThing),
  ]
  return { things, diagnostics }
}

/** Those without a yes in that home folder. */
export function waitingOf(things: readonly Thing[], home: string | undefined): readonly Thing[] {
  return things.filter(({ kind, digest }) => !approvedDigests(home, kind).has(digest))
}

function moduleThing(kind: ApprovalKind, module: CodeModule, root: string): Thing {
  const { name, given, digest } = module
  const path = shown(module.path, root)
  return { kind, name, path, digest, names: [name, given], view: moduleView(module, path) }
}

function otherThing({ kind, name, place, digest, entry }: Approvable): Thing {
  const view = [`${exact(name)}: ${WORDS[kind]}, ${digest}`, `  ${exact(entry)}`]
  return { kind, name, path: place, digest, names: [name, place], view }
}

/** As one would write it in the workspace; a file elsewhere with its whole path. */
function shown(path: string, root: string): string {
  const way = relative(root, path)
  return way.startsWith("..") ? path : way.split(sep).join("/")
}

/** What somebody says yes to. */
function moduleView({ name, digest, files }: CodeModule, path: string): readonly string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const size = `${plural(files.length, "file")}, ${plural(bytes, "byte")}`
  const width = Math.max(...files.map((file) => thousands(file.bytes).length))
  return [
    `${exact(name)}: ${exact(path)}, ${size}, ${digest}`,
    ...files.map((file) => `  ${thousands(file.bytes).padStart(width)}  ${exact(file.path)}`),
  ]
}
