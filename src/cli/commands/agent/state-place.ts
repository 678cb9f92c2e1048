// Finds the state of a command's workspace: existing state for commands that only read, or newly created state, with
// the questions that this needs.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import type { AdoptedState } from "../../../agent/adopt/adopt.ts"
import { foundState } from "../../../files/found-state.ts"
import { type StateFiles, stateFiles } from "../../../files/paths.ts"
import {
  findState,
  foundStateText,
  openState,
  type StateOptions,
  type StateQuestion,
} from "../../../workspace/state/state.ts"
import { exact, visible } from "../../chat/screen/visible.ts"
import { askLine } from "../../command-line/ask-line.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import {
  homeFolder,
  type MachineFlags,
  withVariables,
  workspaceFolder,
} from "../../command-line/variables.ts"
import type { Streams, Terminal } from "../../terminal.ts"

/** From the flags and variables. */
export function stateOptions(flags: MachineFlags, terminal: Terminal): StateOptions {
  const { state } = withVariables(flags, terminal)
  return {
    workspace: workspaceFolder(flags, terminal),
    state: state === undefined ? undefined : resolve(terminal.cwd, state),
    home: homeFolder(flags, terminal),
    env: terminal.env,
  }
}

/** For commands that only read: returns undefined if there is no state, and creates none. */
export function existingState(flags: MachineFlags, terminal: Terminal): StateFiles | undefined {
  const folder = findState(stateOptions(flags, terminal))
  return folder === undefined ? undefined : stateFiles(folder)
}

/** Whether the agent has a store: a file, or a database, which is looked at when it is used. */
export function hasStore(flags: MachineFlags, terminal: Terminal): boolean {
  if (databaseOf(flags, terminal) !== undefined) return true
  const path = existingState(flags, terminal)?.store
  return path !== undefined && existsSync(path)
}

/** The directory itself. Asks a person at a terminal what only they can know; otherwise warns. */
export async function openedState(flags: MachineFlags, terminal: Terminal): Promise<string> {
  const options = stateOptions(flags, terminal)
  const streams = personAt(terminal)
  const warn = (text: string) => terminal.err(`warning: ${visible(text)}\n`)
  const { folder, isNew } = await openState({
    ...options,
    ...{ now: terminal.now, warn },
    ...(streams && { ask: (question) => agrees(streams, questionText(question)) }),
  })
  if (!isNew || foundState(options.workspace).length === 0) return folder
  if (streams === undefined) warn(foundStateText(options.workspace) ?? "")
  else await offerFound(options.workspace, { state: folder, terminal, streams })
  return folder
}

interface Offer {
  readonly state: string
  readonly terminal: Terminal
  readonly streams: Streams
}

/** Imported only here: few folders bring state. */
async function offerFound(workspace: string, { state, terminal, streams }: Offer): Promise<void> {
  const { lookAtFound } = await import("../../../agent/adopt/adopt.ts")
  const { adoptAfterAsking } = await import("./state-adopt.ts")
  const contents = lookAtFound(workspace, state)
  const ask = (_about: string, question: string) => agrees(streams, question)
  const adopted: AdoptedState | undefined = await adoptAfterAsking(contents, { state, terminal, ask })
  if (adopted === undefined)
    terminal.err("Nothing was adopted. To adopt it later, run `incipit state adopt`.\n")
}

/** Both streams must be terminals: an answer counts only if the person saw the question. */
export function personAt({ streams }: Terminal): Streams | undefined {
  return streams?.input.isTTY && streams.output.isTTY ? streams : undefined
}

export async function agrees(streams: Streams, question: string): Promise<boolean> {
  const said = await askLine(streams, `${question} [y/N] `)
  return /^y(es)?$/i.test((said ?? "").trim())
}

function questionText({ kind, path, before }: StateQuestion): string {
  const used = new Date(before.usedAt).toISOString().slice(0, 10)
  if (kind === "moved")
    return `Is this the folder that was at ${exact(before.path)}, last used ${used}? Answer yes to keep its conversations and record, no to start with empty state.`
  return `The folder at ${exact(path)} is not the one that was there before, last used ${used}. Use the old folder's conversations and record?`
}
