// The question before things that a folder brings may be used: shows each in full, asks once, and stores a yes.
import { type ApprovalKind, withApprovals } from "../../../approval/approvals.ts"
import { approveFolder } from "../../../approval/folder.ts"
import { IncipitError } from "../../../base/error.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import { isAgreed, questionWriter } from "../../command-line/look-menu.ts"
import type { Terminal } from "../../terminal.ts"
import { type ApprovalItem, outdatedLines } from "./approvables.ts"
import { approvalState, askFolder } from "./folder-question.ts"

export interface ApproveOptions {
  readonly terminal: Terminal
  readonly home: string | undefined
  /** Approves without asking. */
  readonly isYes?: boolean
  /** Why it fails if there is nobody to ask. */
  readonly nobody?: () => IncipitError
}

/** Returns false after a no. */
export async function approveItems(
  workspace: Workspace,
  chosen: readonly ApprovalItem[],
  { terminal, home, isYes = false, nobody = noTerminal }: ApproveOptions,
): Promise<boolean> {
  const state = approvalState(workspace, home)
  if (!state.isKnown) await askFolder(workspace, { state, terminal, home })
  const say = isYes ? (line: string) => terminal.err(`${line}\n`) : questionWriter(terminal)
  const lines = [...outdatedLines(chosen, home), ...chosen.flatMap(({ view }) => view)]
  for (const line of lines) say(line)
  if (!isYes && !(await isAgreedTo(chosen, { terminal, nobody }))) return false
  const at = terminal.now()
  withApprovals(home, (approvals) => {
    for (const { kind, digest, name } of chosen) approvals.approve({ kind, digest, name, at })
  })
  // A user who has seen all of a thing has seen that the folder brings it.
  const items = chosen.map(({ kind, item }) => ({ kind, name: item }))
  approveFolder(workspace.root, items, { home, at })
  return true
}

function noTerminal(): IncipitError {
  return new IncipitError(
    "bad-argument",
    "there is no terminal to ask on; to approve without asking, add --yes",
  )
}

async function isAgreedTo(
  chosen: readonly ApprovalItem[],
  { terminal, nobody }: Required<Pick<ApproveOptions, "terminal" | "nobody">>,
): Promise<boolean> {
  const question = questionsOf(chosen).join(", and ")
  const looks = chosen.flatMap((one) => one.looks)
  const say = questionWriter(terminal)
  if (looks.length > 0) say("Not shown above:")
  for (const [at, { label }] of looks.entries()) say(`  ${String(at + 1).padStart(2)}  ${label}`)
  return isAgreed(terminal, {
    question: `${question[0]?.toUpperCase()}${question.slice(1)}?`,
    ...{ looks, nobody },
  })
}

function questionsOf(chosen: readonly ApprovalItem[]): readonly string[] {
  const count = (...kinds: readonly ApprovalKind[]) =>
    chosen.filter(({ kind }) => kinds.includes(kind)).length
  const programs = count("hook", "profile", "mcp")
  const folders = count("directory")
  return [
    ...(programs === 0
      ? []
      : [`let ${programs === 1 ? "this code" : `the code of these ${programs}`} run with your rights`]),
    ...(count("provider", "otlp") === 0 ? [] : ["send the agent's prompts and messages to these addresses"]),
    ...(count("database") === 0 ? [] : ["keep all conversations in this database"]),
    ...(folders === 0 ? [] : [`let the agent use ${folders === 1 ? "this folder" : "these folders"}`]),
    ...(count("rules") === 0 ? [] : ["let the agent do what these rules allow without asking you"]),
    ...(count("sandbox") === 0 ? [] : ["let commands run in a sandbox as these settings say"]),
    ...(count("schedule") === 0 ? [] : ["let the agent run this schedule while a chat or a server is open"]),
    ...(count("serve") === 0 ? [] : ["let others reach the agent as these settings say"]),
  ]
}
