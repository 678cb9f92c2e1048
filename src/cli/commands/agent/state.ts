// `incipit state`: which folders have state, where it is, and what to do when a folder is moved, deleted, or brings its
// own state.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { lookAtFound, refuseNothing } from "../../../agent/adopt/adopt.ts"
import { bytesText } from "../../../base/data-size.ts"
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import { type FoundState, foundState } from "../../../files/found-state.ts"
import { type FolderIdentity, folderIdentity } from "../../../files/identity.ts"
import {
  type FolderTable,
  type KnownFolder,
  readFolders,
  withFolders,
} from "../../../workspace/state/folder-table.ts"
import { findState, openState, stateHomeOf } from "../../../workspace/state/state.ts"
import { exact } from "../../chat/screen/visible.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { MachineFlags } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { fitCell } from "../../views/widths.ts"
import { adoptAfterAsking } from "./state-adopt.ts"
import { agrees, personAt, stateOptions } from "./state-place.ts"

/** What became of the state's folder. */
type FolderStatus = "there" | "gone" | "replaced"

const STATUS_NOTES: Readonly<Record<FolderStatus, string>> = {
  there: "",
  gone: "  the folder is gone",
  replaced: "  another folder is there now",
}

interface Listed {
  readonly id: string
  readonly path: string
  readonly state: string
  readonly bytes: number
  /** ISO, in UTC. */
  readonly usedAt: string
  readonly folder: FolderStatus
}

export async function list({ flags, terminal }: Invocation<"state list">): Promise<number> {
  const home = homeOf(flags, terminal)
  const listed = (readFolders(home, (folders) => folders.list()) ?? []).map((known) =>
    listedFolder(home, known),
  )
  if (listed.length === 0 && !flags.json) {
    terminal.err("No folder has state yet. `incipit chat` and `incipit run` create it.\n")
    return 0
  }
  print({ flags, terminal }, listed, () => [
    ...listed.flatMap((one) => rowView(one, terminal)),
    `${plural(listed.length, "folder")} in ${exact(home)}`,
  ])
  return 0
}

function rowView({ id, path, bytes, usedAt, folder }: Listed, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const facts = `${id}  ${fitCell(bytesText(bytes), 9, "right")}  used ${usedAt.slice(0, 10)}`
  const line = `  ${facts}${STATUS_NOTES[folder]}`
  return [exact(path), folder === "there" ? line : paint("yellow", line)]
}

export async function show({ words, flags, terminal }: Invocation<"state show">): Promise<number> {
  const options = stateOptions(withFolder(flags, words), terminal)
  const state = findState(options)
  const found = foundState(options.workspace)
  if (state === undefined && found.length === 0) throw noState(options.workspace)
  const files = state === undefined ? [] : filesBelow(state)
  const report = { workspace: resolve(options.workspace), state: state ?? null, files, found }
  print({ flags, terminal }, report, () => showView(report, terminal))
  return 0
}

interface Shown {
  readonly workspace: string
  readonly state: string | null
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
  readonly found: readonly FoundState[]
}

function showView({ workspace, state, files, found }: Shown, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const size = ({ name, bytes }: { readonly name: string; readonly bytes: number }) =>
    fitCell(`  ${exact(name).padEnd(24)} ${bytesText(bytes)}`, terminal.columns).trimEnd()
  return [
    paint("bold", exact(workspace)),
    state === null ? "This folder has no state yet." : `State: ${exact(state)}`,
    ...files.map(size),
    ...(found.length === 0
      ? []
      : [
          asTyped(
            "Not used, because it came with the folder (to adopt it: `incipit state adopt`):",
            terminal,
          ),
          ...found.map(({ shown, bytes }) => size({ name: shown, bytes })),
        ]),
  ]
}

/** `state move FROM [FOLDER]`: the state of a folder that moved, by its old path or its id. */
export async function move({
  words: [from = "", folder],
  flags,
  terminal,
}: Invocation<"state move">): Promise<number> {
  const path = resolve(terminal.cwd, folder ?? ".")
  const target = folderIdentity(path)
  if (target === undefined) throw new IncipitError("unreadable-workspace", `${path} is not a folder`)
  const home = homeOf(flags, terminal)
  const known = knownFolder(home, from, terminal)
  if (folderStatus(known) === "there" && known.path !== target.path)
    throw new IncipitError("bad-argument", `${known.path} is still there and uses this state`)
  const isAgreed = flags.yes || (await isMoveAgreed(known, target, terminal))
  if (!isAgreed) {
    terminal.err("Nothing was changed.\n")
    return 0
  }
  const left = withFolders(home, (folders) =>
    folders.transaction(() => swapStates(folders, known, target, terminal.now())),
  )
  print({ flags, terminal }, { id: known.id, from: known.path, to: target.path, left }, () => [
    `${exact(target.path)} now uses the state of ${exact(known.path)}.`,
    ...left.map((id) =>
      asTyped(`Its previous state is kept; to delete it, run \`incipit state forget ${id}\`.`, terminal),
    ),
  ])
  return 0
}

async function isMoveAgreed(
  known: KnownFolder,
  target: FolderIdentity,
  terminal: Terminal,
): Promise<boolean> {
  return confirmAtTerminal(terminal, `Use the state of ${exact(known.path)} for ${exact(target.path)}?`)
}

/** Swaps the two states, so that the target's old one is not lost. Returns the ids of the old ones. */
function swapStates(
  folders: FolderTable,
  known: KnownFolder,
  target: FolderIdentity,
  now: number,
): readonly string[] {
  const before = folders
    .at(target.path)
    .filter(({ id, inode, born }) => id !== known.id && inode === target.inode && born === target.born)
  for (const { id } of before) folders.bind(id, known, now)
  folders.bind(known.id, target, now)
  return before.map(({ id }) => id)
}

/** `state forget [WHAT]`, or all folders that are gone. */
export async function forget({
  words: [what],
  flags,
  terminal,
}: Invocation<"state forget">): Promise<number> {
  const home = homeOf(flags, terminal)
  const chosen = flags.gone ? goneFolders(home) : [knownFolder(home, what ?? terminal.cwd, terminal)]
  if (chosen.length === 0) {
    terminal.err("Nothing to delete: every folder that has state is still there.\n")
    return 0
  }
  const listed = chosen.map((known) => listedFolder(home, known))
  if (!flags.yes) {
    terminal.err(`${listed.flatMap((one) => rowView(one, terminal)).join("\n")}\n`)
    const what = chosen.length === 1 ? "this folder" : `these ${chosen.length} folders`
    if (!(await confirmAtTerminal(terminal, `Delete the conversations and the record of ${what}?`))) {
      terminal.err("Nothing was deleted.\n")
      return 0
    }
  }
  for (const { id } of chosen) {
    removeState(home, id)
    withFolders(home, (folders) => folders.forget(id))
  }
  print({ flags, terminal }, listed, () => listed.map(({ path }) => `Deleted the state of ${exact(path)}.`))
  return 0
}

/** `state adopt [FOLDER]`: the state that came with it. */
export async function adopt({ words, flags, terminal }: Invocation<"state adopt">): Promise<number> {
  const options = stateOptions(withFolder(flags, words), terminal)
  if (foundState(options.workspace).length === 0) refuseNothing([], options.workspace)
  const streams = personAt(terminal)
  if (!flags.yes && streams === undefined)
    throw new IncipitError(
      "bad-argument",
      "there is no terminal to ask on; to adopt without asking, add --yes",
    )
  const warn = (text: string) => terminal.err(`warning: ${text}\n`)
  const { folder: state } = await openState({ ...options, now: terminal.now, warn })
  const contents = lookAtFound(options.workspace, state)
  refuseNothing(contents, options.workspace)
  const ask = async (about: "all" | "acting", question: string) => {
    if (flags.yes) return about === "all" || flags.acting
    return streams !== undefined && agrees(streams, question)
  }
  const adopted = await adoptAfterAsking(contents, { state, terminal, ask })
  if (adopted === undefined) terminal.err("Nothing was adopted.\n")
  if (flags.json)
    terminal.out(`${JSON.stringify({ state, adopted: adopted ?? null, found: contents }, null, 2)}\n`)
  return 0
}

/** A named folder overrides `--workspace`. */
function withFolder(flags: MachineFlags, [folder]: readonly string[]): MachineFlags {
  return folder === undefined ? flags : { ...flags, workspace: folder }
}

function homeOf(flags: MachineFlags, terminal: Terminal): string {
  return stateHomeOf(stateOptions(flags, terminal))
}

/** By id, or by its present or former path; the most recently used one counts. */
function knownFolder(home: string, what: string, terminal: Terminal): KnownFolder {
  const path = resolve(terminal.cwd, what)
  const real = folderIdentity(path)?.path ?? path
  const known = readFolders(
    home,
    (folders) => folders.byId(what) ?? folders.at(real)[0] ?? folders.at(path)[0],
  )
  if (known === undefined) throw noState(path)
  return known
}

function noState(path: string): IncipitError {
  return new IncipitError("no-state", `${path} has no state`)
}

function goneFolders(home: string): readonly KnownFolder[] {
  const all = readFolders(home, (folders) => folders.list()) ?? []
  return all.filter((known) => folderStatus(known) === "gone")
}

function folderStatus({ path, inode, born }: KnownFolder): FolderStatus {
  const now = folderIdentity(path)
  if (now === undefined) return "gone"
  return now.inode === inode && now.born === born ? "there" : "replaced"
}

function listedFolder(home: string, known: KnownFolder): Listed {
  const state = join(home, known.id)
  const bytes = filesBelow(state).reduce((sum, file) => sum + file.bytes, 0)
  const usedAt = new Date(known.usedAt).toISOString()
  return { id: known.id, path: known.path, state, bytes, usedAt, folder: folderStatus(known) }
}

function filesBelow(state: string): Shown["files"] {
  if (!existsSync(state)) return []
  return readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => ({
      name: path.slice(state.length + 1),
      bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    }))
}

/** An id is twenty hexadecimal digits, so it cannot lead out of the directory. */
function removeState(home: string, id: string): void {
  if (/^[0-9a-f]{20}$/.test(id)) rmSync(join(home, id), { recursive: true, force: true })
}

async function confirmAtTerminal(terminal: Terminal, question: string): Promise<boolean> {
  const streams = personAt(terminal)
  if (streams === undefined)
    throw new IncipitError(
      "bad-argument",
      "there is no terminal to ask on; to go ahead without asking, add --yes",
    )
  return agrees(streams, question)
}
