// Everything in an incipit.yaml that needs approval, of all kinds, with what the user should see of it first. Runs
// nothing and approves nothing.
import { resolve } from "node:path"
import { type Approvable, approvables } from "../../../approval/approvable.ts"
import { type ApprovalKind, outdatedNames } from "../../../approval/approvals.ts"
import { approvedIn } from "../../../approval/approved-in.ts"
import { type Diagnostic, sentence } from "../../../base/diagnostic.ts"
import type { Digest } from "../../../base/digest.ts"
import { isRecord } from "../../../base/is-record.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import { shownFrom } from "../../../files/inside.ts"
import { readRegular } from "../../../files/read-regular.ts"
import { type FoundModule, findModule } from "../../../hooks/code-module.ts"
import { findHooks } from "../../../hooks/load.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import { profileModule } from "../../../workspace/profile/profile-table.ts"
import { exact } from "../../chat/screen/visible.ts"
import type { Look } from "../../command-line/look-menu.ts"

/** The name of each kind. */
export const KIND_NAMES: Readonly<Record<ApprovalKind, string>> = {
  hook: "module",
  profile: "profile",
  mcp: "MCP server",
  provider: "provider",
  otlp: "OTLP endpoint",
  database: "database",
  directory: "folder",
  rules: "rule list",
  schedule: "schedule",
  serve: "server settings",
  sandbox: "sandbox",
}
// The keys of that table are the kinds.
export const KINDS = Object.keys(KIND_NAMES) as readonly ApprovalKind[]

/** Something to approve, with what the user should see of it. */
export interface ApprovalItem {
  readonly kind: ApprovalKind
  readonly name: string
  /** The name in its folder's approval. */
  readonly item: string
  readonly path: string
  readonly digest: Digest
  /** The names it can be called by. */
  readonly names: readonly string[]
  /** Everything in it that belongs to the workspace, shown before the question. */
  readonly view: readonly string[]
  /** Shown on request: packages, which are third-party code and may be long. */
  readonly looks: readonly Look[]
}

export interface ApprovalItems {
  readonly items: readonly ApprovalItem[]
  /** About modules. */
  readonly diagnostics: readonly Diagnostic[]
}

export function approvalItems(workspace: Workspace): ApprovalItems {
  const { config, root } = workspace
  const { found, diagnostics } = findHooks(config.hooks ?? [], root)
  const path = profileModule(config)
  const profile = path === undefined ? undefined : findModule(path, root)
  const items = [
    ...found.map((one) => moduleItem("hook", one, root)),
    ...(profile !== undefined && "module" in profile ? [moduleItem("profile", profile, root)] : []),
    ...approvables(workspace).map((one) => otherItem(one, root)),
  ]
  return { items, diagnostics }
}

/** The things without an approval in that home folder. */
export function unapproved(
  items: readonly ApprovalItem[],
  { root, home }: { readonly root: string; readonly home: string | undefined },
): readonly ApprovalItem[] {
  const isApproved = approvedIn(root, home)
  return items.filter((one) => !isApproved({ ...one, name: one.item }))
}

/** Explains that approvals of an earlier Incipit applied to any folder, and so no longer apply. */
export function outdatedLines(waiting: readonly ApprovalItem[], home: string | undefined): readonly string[] {
  const names = waiting.flatMap(({ kind, name }) =>
    outdatedNames(home, kind).has(name) ? [exact(name)] : [],
  )
  if (names.length === 0) return []
  return [
    `You approved ${names.join(", ")} with an earlier version of Incipit. Approvals are now bound to one folder and cover everything that runs, so please review them again.`,
  ]
}

/** What is wrong with a module that cannot be shown. */
export function moduleProblem(name: string, root: string): readonly string[] {
  const found = findModule(name, root)
  return "module" in found ? [] : [sentence(found)]
}

function moduleItem(kind: ApprovalKind, found: FoundModule, root: string): ApprovalItem {
  const { name, given, digest, path } = found.module
  const place = shownFrom(path, root)
  return {
    ...{ kind, name, item: given, path: place, digest, names: [name, given] },
    view: [...moduleHead(found, place), ...workspaceCode(found, root)],
    looks: packageLooks(found, root),
  }
}

function otherItem({ kind, name, place, digest, entry, files }: Approvable, root: string): ApprovalItem {
  // There is only one schedule, and it has no other name.
  const title = name === KIND_NAMES[kind] ? name : `${exact(name)}: ${KIND_NAMES[kind]}`
  const [packaged, own] = [files.filter(isPackaged), files.filter((file) => !isPackaged(file))]
  const code = own.flatMap(({ path, bytes }) => fileLines(path, bytes, textAt(resolve(root, path))))
  const looks = packaged.length === 0 ? [] : [serverPackages(packaged, root)]
  return {
    ...{ kind, name, item: name, path: place, digest, names: [name, place] },
    view: [
      `${title}, ${digest}`,
      ...(kind === "serve" ? settingLines(entry) : [`  ${exact(entry)}`]),
      ...code,
    ],
    looks,
  }
}

/** People, rooms and channels one below the other. Names and values stay JSON, so that no name can pass for a line. */
function settingLines(entry: string): readonly string[] {
  // Made by `approvables`, of an object.
  const settings = JSON.parse(entry) as Readonly<Record<string, unknown>>
  return Object.entries(settings).flatMap(([key, value]) => {
    if (Array.isArray(value))
      return [`  ${exact(key)}:`, ...value.map((one) => `    ${exact(JSON.stringify(one))}`)]
    if (!isRecord(value)) return [`  ${exact(key)}: ${exact(JSON.stringify(value))}`]
    const lines = Object.entries(value).map(
      ([name, one]) => `    ${exact(`${JSON.stringify(name)}: ${JSON.stringify(one)}`)}`,
    )
    return [`  ${exact(key)}:`, ...lines]
  })
}

function isPackaged({ path }: { readonly path: string }): boolean {
  return /(?:^|\/)node_modules\//.test(path)
}

function serverPackages(files: Approvable["files"], root: string): Look {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return {
    label: `packages: ${plural(files.length, "file")} of node_modules, ${plural(bytes, "byte")}`,
    lines: () => files.flatMap(({ path, bytes: size }) => fileLines(path, size, textAt(resolve(root, path)))),
  }
}

function moduleHead(
  { module: { name, digest, files }, packages }: FoundModule,
  path: string,
): readonly string[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const size = `${plural(files.length, "file")}, ${plural(bytes, "byte")}`
  const own = files.filter((file) => file.package === undefined)
  const width = Math.max(...own.map((file) => thousands(file.bytes).length))
  return [
    `${exact(name)}: ${exact(path)}, ${size}, ${digest}`,
    ...own.map((file) => `  ${thousands(file.bytes).padStart(width)}  ${exact(file.path)}`),
    ...packages.map((label) => `  ${packageSize(files, label)}`),
  ]
}

function packageSize(files: FoundModule["module"]["files"], label: string): string {
  const of = files.filter((file) => file.package === label)
  const bytes = of.reduce((sum, file) => sum + file.bytes, 0)
  return `package ${exact(label)}, ${plural(of.length, "file")}, ${plural(bytes, "byte")}`
}

function workspaceCode({ module, files }: FoundModule, root: string): readonly string[] {
  const own = module.files.filter((file) => file.package === undefined)
  const texts = new Map([...files].map(([path, { text }]) => [shownFrom(path, root), text]))
  return own.flatMap(({ path, bytes }) => fileLines(path, bytes, texts.get(path)))
}

function packageLooks({ module, files, packages }: FoundModule, root: string): readonly Look[] {
  return packages.map((label) => ({
    label: packageSize(module.files, label),
    lines: () =>
      [...files]
        .filter(([, file]) => file.package === label)
        .flatMap(([path, { text }]) => fileLines(shownFrom(path, root), Buffer.byteLength(text), text)),
  }))
}

/** The exact text with hidden characters made visible, each line behind a mark that the text cannot forge. */
function fileLines(path: string, bytes: number, text: string | undefined): readonly string[] {
  const head = `--- ${exact(path)}, ${plural(bytes, "byte")}`
  if (text === undefined) return [`${head}, not shown: it is not text`]
  return [
    head,
    ...text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => `| ${exact(line)}`),
  ]
}

/** How much of a file is shown; a longer one isn't a script. */
const MAX_SHOWN = 1_000_000

function textAt(path: string): string | undefined {
  const read = readRegular(path, MAX_SHOWN)
  return read.kind === "read" && !read.bytes.includes(0) ? read.bytes.toString("utf8") : undefined
}
