// Every file name that Incipit defines: its folder in a workspace and the files inside. Other code takes these paths
// from here. Nothing here opens a file.
import { isAbsolute, join, resolve, sep } from "node:path"

/** Incipit's folder in a workspace and in the home folder. */
export const INCIPIT_FOLDER = ".incipit"

/** Replaces the bundled base prompt, in a workspace or for a user. The file after it is appended. */
export const SYSTEM_FILE = `${INCIPIT_FOLDER}/SYSTEM.md`
export const APPEND_SYSTEM_FILE = `${INCIPIT_FOLDER}/APPEND_SYSTEM.md`

/** The user's approvals. They are in the home folder, where no workspace can write them. */
export function approvalsFile(home: string): string {
  return join(home, INCIPIT_FOLDER, "approvals.db")
}

/** Plans that people read and edit, so they stay in the workspace. */
export const PLANS_FOLDER = `${INCIPIT_FOLDER}/plans`

/** The user's own skills, in the home folder. */
export const SKILLS_FOLDER = `${INCIPIT_FOLDER}/skills`

type Environment = Readonly<Record<string, string | undefined>>

/** Where the state of all folders is: `$XDG_STATE_HOME/incipit`. A relative `$XDG_STATE_HOME` is ignored. */
export function stateHome({ home, env }: { readonly home: string; readonly env: Environment }): string {
  const { XDG_STATE_HOME: named } = env
  const parent = named !== undefined && isAbsolute(named) ? named : join(home, ".local", "state")
  return join(parent, "incipit")
}

/** The table that maps folders to their state; one for all folders of the user. */
export function foldersFile(stateHome: string): string {
  return join(stateHome, "folders.db")
}

/** Where sign-ins to MCP servers are kept: one private file for each. */
export function signInsFolder(stateHome: string): string {
  return join(stateHome, "mcp")
}

/** Where calls of other programs are kept: their record, and how far each file was read. One for all folders. */
export interface CaptureFiles {
  readonly folder: string
  readonly record: string
  readonly places: string
  /** One folder for each `incipit wrap` that is running: what its client writes until it is kept. */
  readonly runs: string
}

export function captureFiles(stateHome: string): CaptureFiles {
  const folder = join(stateHome, "captures")
  const inside = (name: string) => join(folder, name)
  return { folder, record: inside("record.db"), places: inside("places.json"), runs: inside("runs") }
}

/** All folders with state, for any workspace: the shared one, and one that the user named. */
export function stateFolders({
  state,
  ...place
}: {
  readonly state: string | undefined
  readonly home: string
  readonly env: Environment
}): readonly string[] {
  const named = state ?? place.env.INCIPIT_STATE_DIR
  return [stateHome(place), ...(named ? [resolve(named)] : [])]
}

/** Whether a path, relative to a state folder, is a file that we write. Users may keep other files there, too. */
export function isStateFile(way: string): boolean {
  return STATE_FILE.test(way.split(sep).join("/"))
}

const STATE_FILE =
  /^(?:captures\/(?:places\.json|runs\/.+)|(?:[0-9a-f]{20}\/|captures\/)?(?:(?:agent|record|folders|(?:agents\/[^/]+\/)?memory)\.db(?:\.damaged-\d+)?(?:-wal|-shm|-journal)?|history|(?:agents\/[^/]+\/)?documents\/.+))$/i

/** The files that act or remember for one workspace. None of them travels with the folder. */
export interface StateFiles {
  /** Conversations, queued messages, tasks, added schedule entries. */
  readonly store: string
  readonly record: string
  /** What the user typed in chats. */
  readonly history: string
  /** The memory index of an agent, by its id. */
  index(agent: string): string
  /** The folder with the local copy of an agent's documents, if they are in a database. */
  documents(agent: string): string
}

/** The id of the agent that the workspace itself describes. Others are in `agents/<id>`. */
export const MAIN_AGENT = "main"

export function stateFiles(folder: string): StateFiles {
  return {
    store: join(folder, "agent.db"),
    record: join(folder, "record.db"),
    history: join(folder, "history"),
    index: (agent) => join(folder, ...(agent === MAIN_AGENT ? [] : ["agents", agent]), "memory.db"),
    documents: (agent) => join(folder, ...(agent === MAIN_AGENT ? [] : ["agents", agent]), "documents"),
  }
}

/**
 * Where Incipit 0.1.0 kept state: in the workspace. State found there came with the folder; it is only offered for
 * adoption.
 */
export function travellingState(workspace: string): StateFiles {
  return stateFiles(join(workspace, INCIPIT_FOLDER))
}

/** Whether a path is a file that Incipit writes itself during a conversation, as opposed to one that a person edits. */
export function isWrittenByUs(path: string): boolean {
  return OWN_WRITING.test(path)
}

const OWN_WRITING = /(^|[/\\])\.incipit[/\\](?:plans(?:[/\\]|$)|[^/\\]+\.db)/
