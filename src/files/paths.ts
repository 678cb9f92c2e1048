// Every name that Incipit itself gives to files: the folder in a workspace that is its own, and what is in it.
// Nothing here opens a file; whoever needs one of these paths gets it from here.
import { isAbsolute, join, resolve, sep } from "node:path"

/** The folder of a workspace, and of the home folder, that belongs to Incipit. */
export const INCIPIT_FOLDER = ".incipit"

/** The base that a workspace or the user brings in place of the bundled one, and what follows it. */
export const SYSTEM_FILE = `${INCIPIT_FOLDER}/SYSTEM.md`
export const APPEND_SYSTEM_FILE = `${INCIPIT_FOLDER}/APPEND_SYSTEM.md`

/** What a user approved: in the home folder, where no workspace can write it. */
export function approvalsFile(home: string): string {
  return join(home, INCIPIT_FOLDER, "approvals.db")
}

/** Plans that people read and edit; they stay in the workspace. */
export const PLANS_FOLDER = `${INCIPIT_FOLDER}/plans`

/** Skills of the user's own, in the home folder. */
export const SKILLS_FOLDER = `${INCIPIT_FOLDER}/skills`

type Environment = Readonly<Record<string, string | undefined>>

/** Where the state of all folders is: `$XDG_STATE_HOME/incipit`, which counts only as an absolute path. */
export function stateHome({ home, env }: { readonly home: string; readonly env: Environment }): string {
  const { XDG_STATE_HOME: named } = env
  const parent = named !== undefined && isAbsolute(named) ? named : join(home, ".local", "state")
  return join(parent, "incipit")
}

/** Which folder has which state: one table for all folders of the user. */
export function foldersFile(stateHome: string): string {
  return join(stateHome, "folders.db")
}

/** Folders with state, whoever opens a workspace: that of all folders, and one that the user named. */
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

/** Whether a path, from a folder with state on, is one that we write. Somebody may keep other files there, too. */
export function isStateFile(way: string): boolean {
  return STATE_FILE.test(way.split(sep).join("/"))
}

const STATE_FILE =
  /^(?:[0-9a-f]{20}\/)?(?:(?:agent|record|folders|(?:agents\/[^/]+\/)?memory)\.db(?:\.damaged-\d+)?(?:-wal|-shm|-journal)?|history)$/i

/** What acts or remembers for one workspace. None of it travels with the folder. */
export interface StateFiles {
  /** Conversations, messages that wait, tasks, added schedule entries. */
  readonly store: string
  readonly record: string
  /** What was typed in chats. */
  readonly history: string
  /** The index of the memory of an agent, which is "main" or a further one in `agents/`. */
  index(agent: string): string
}

export function stateFiles(folder: string): StateFiles {
  return {
    store: join(folder, "agent.db"),
    record: join(folder, "record.db"),
    history: join(folder, "history"),
    index: (agent) => join(folder, ...(agent === "main" ? [] : ["agents", agent]), "memory.db"),
  }
}

/** Where Incipit 0.1.0 kept state: in the workspace. What is there now came with the folder, and is only offered. */
export function travellingState(workspace: string): StateFiles {
  return stateFiles(join(workspace, INCIPIT_FOLDER))
}

/** Whether a path is a file of ours that changes because something was said, and not because somebody wrote it. */
export function isWrittenByUs(path: string): boolean {
  return OWN_WRITING.test(path)
}

const OWN_WRITING = /(^|[/\\])\.incipit[/\\](?:plans(?:[/\\]|$)|[^/\\]+\.db)/
