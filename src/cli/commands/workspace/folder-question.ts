// The question before anything in a folder may act: lists what it brings, shows each on request, and asks for a yes or
// no to the folder as such. Asked once, and again only for things that the folder did not bring before.
import {
  approveFolder,
  type Brought,
  type FolderState,
  folderState,
  isActing,
} from "../../../approval/folder.ts"
import { IncipitError } from "../../../base/error.ts"
import { listed, plural } from "../../../base/text/figures.ts"
import { openWorkspace, type Workspace } from "../../../sources/workspace.ts"
import { profileModule } from "../../../workspace/profile/profile-table.ts"
import { exact } from "../../chat/screen/visible.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import { isAgreed, type Look, questionWriter } from "../../command-line/look-menu.ts"
import { homeFolder, type MachineFlags, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { fitCell, wrap } from "../../views/widths.ts"
import { type ApprovalItem, approvalItems, moduleProblem } from "./approvables.ts"

/** The name of each kind in the list. */
const KIND_NAMES: Readonly<Record<Brought["kind"], string>> = {
  hook: "hook",
  profile: "profile",
  mcp: "MCP server",
  provider: "model provider",
  otlp: "trace endpoint",
  database: "database",
  directory: "folder",
  rules: "list of allowed actions",
  schedule: "schedule",
  serve: "set of server settings",
  sandbox: "set of sandbox settings",
  state: "saved state",
}

export interface FolderQuestion {
  /** The schedule will run as well. */
  readonly isScheduled?: boolean
  /** The agent will be served to others. */
  readonly isServed?: boolean
}

/** Returns if the folder may be opened by a command that acts; otherwise throws an error that says what to do. */
export async function openFolder(
  flags: Pick<MachineFlags, "workspace" | "home">,
  terminal: Terminal,
  { isScheduled = false, isServed = false }: FolderQuestion = {},
): Promise<void> {
  const home = homeFolder(flags, terminal)
  const workspace = openWorkspace(workspaceFolder(flags, terminal), { home })
  const state = approvalState(workspace, home)
  const isAsked = (one: Brought) =>
    isActing(one) || (isScheduled && one.kind === "schedule") || (isServed && one.kind === "serve")
  if (!state.unseen.some(isAsked)) return
  await askFolder(workspace, { state, terminal, home })
}

export function approvalState(workspace: Workspace, home: string | undefined): FolderState {
  return folderState(workspace, { home, profile: profileModule(workspace.config) })
}

export interface AskFolderOptions {
  readonly state: FolderState
  readonly terminal: Terminal
  readonly home: string | undefined
  /** Approves without asking. */
  readonly isYes?: boolean
}

/** Shows what the folder brings, asks, and stores a yes; throws on a no. */
export async function askFolder(
  workspace: Workspace,
  { state, terminal, home, isYes = false }: AskFolderOptions,
): Promise<void> {
  const { root } = workspace
  const shown = state.isKnown ? state.unseen : state.brings
  const looks = detailsOf(shown, { workspace, terminal })
  const isPerson = isYes || terminal.streams?.input.isTTY === true
  const say = isYes ? (line: string) => terminal.err(`${line}\n`) : questionWriter(terminal)
  if (isPerson) for (const line of listLines(root, shown, { state, terminal })) say(line)
  const agreed =
    isYes ||
    (await isAgreed(terminal, {
      question: "Approve this folder?",
      looks,
      nobody: () => notApproved(root, shown, state),
    }))
  if (!agreed)
    throw new IncipitError("folder-not-approved", `${exact(root)} was not approved, so nothing in it ran`)
  approveFolder(root, state.brings, { home, at: terminal.now() })
}

function listLines(
  root: string,
  shown: readonly Brought[],
  { state: { isKnown }, terminal }: Pick<AskFolderOptions, "state" | "terminal">,
): readonly string[] {
  const width = Math.max(0, ...shown.map(({ kind }) => KIND_NAMES[kind].length))
  const head = isKnown
    ? `${exact(root)} contains something new since you approved it:`
    : `${exact(root)} has not been approved on this machine. It contains:`
  const rows = shown.map(
    (one, at) =>
      `  ${String(at + 1).padStart(2)}  ${fitCell(KIND_NAMES[one.kind], width)}  ${placeText(one)}`,
  )
  return [head, ...rows, ...wrap(asTyped(OWN_APPROVAL, terminal), Math.min(80, terminal.columns))]
}

const OWN_APPROVAL =
  "Approving the folder does not run or use any of these. Each needs its own approval: `incipit hooks approve`, and for saved state `incipit state adopt`."

function placeText({ kind, name, place }: Brought): string {
  if (kind === "schedule") return exact(place)
  return name === place ? exact(name) : `${exact(name)}: ${exact(place)}`
}

/** Each as it will be shown again before its own approval, in the order of the list. */
function detailsOf(
  shown: readonly Brought[],
  { workspace, terminal }: { readonly workspace: Workspace; readonly terminal: Terminal },
): readonly Look[] {
  let known: readonly ApprovalItem[] | undefined
  return shown.map((one) => ({
    label: `${KIND_NAMES[one.kind]} ${placeText(one)}`,
    lines: () => {
      known ??= approvalItems(workspace).items
      const found = known.find(({ kind, item }) => kind === one.kind && item === one.name)
      if (found !== undefined)
        return [...found.view, ...found.looks.flatMap(({ label, lines }) => [label, ...lines()])]
      if (one.kind === "state")
        return [
          "State that an agent kept here: conversations, a queue, a schedule or a record.",
          asTyped("It is not used unless you adopt it with `incipit state adopt`.", terminal),
        ]
      return moduleProblem(one.name, workspace.root)
    },
  }))
}

function notApproved(root: string, shown: readonly Brought[], { isKnown }: FolderState): IncipitError {
  const kinds = [...new Set(shown.map(({ kind }) => kind))]
  const what = listed(
    kinds.map((kind) => plural(shown.filter((one) => one.kind === kind).length, KIND_NAMES[kind])),
  )
  const folder = /^[\w./@:-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`
  return new IncipitError(
    "folder-not-approved",
    `${exact(root)} contains ${what}${isKnown ? " that it did not contain when you approved it" : ", and you have not approved it on this machine"}. To review and approve it, run \`incipit folder approve ${exact(folder)}\`. In a script, add --yes`,
  )
}
