// One person's data in files and documents: their plans, which are erased with their conversations, and what is left for
// review, since it is about more than one person.
import { existsSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { type ErasedPlans, erasePlans } from "../../../agent/feeds/plan-files.ts"
import { byCodePoint } from "../../../base/order.ts"
import { errorCode } from "../../../base/system-error.ts"
import { MAIN_AGENT } from "../../../files/paths.ts"
import { segment } from "../../../sources/workspace.ts"

/** Their plans, for all agents of the workspace. */
export function erasePersonPlans(root: string, whose: readonly string[], isDry: boolean): ErasedPlans {
  const found = ["", ...furtherAgents(root)].map((folder) => ({
    folder,
    ...erasePlans(join(root, folder), whose, isDry),
  }))
  return {
    removed: found.flatMap(({ folder, removed }) => removed.map((path) => join(folder, path))),
    unread: found.flatMap(({ folder, unread }) => unread.map((path) => join(folder, path))),
  }
}

/** The paths of the documents in a database, of all agents of the workspace, relative to the folder of their agent. */
export async function storedDocuments(root: string, url: string | undefined): Promise<readonly string[]> {
  if (url === undefined) return []
  // Imported here: few runs have a database.
  const [{ openPostgres }, { documentPaths }] = await Promise.all([
    import("../../../database/postgres/open-postgres.ts"),
    import("../../../database/postgres/documents/documents.ts"),
  ])
  const postgres = await openPostgres(url)
  try {
    const agents = [MAIN_AGENT, ...furtherAgents(root).map((folder) => basename(folder))]
    return (await Promise.all(agents.map((agent) => documentPaths(postgres, agent)))).flat()
  } finally {
    await postgres.close()
  }
}

/** Data about several people, or about unknown ones. */
interface SharedData {
  /** The number of conversations in rooms. */
  readonly rooms: number
  /** Paths of plans that cannot be read. */
  readonly unread: readonly string[]
  /** The history of what was typed in chats. */
  readonly history: string | undefined
  /** Paths of the documents that are in a database. */
  readonly documents: readonly string[]
}

/** What stays, as sentences. */
export function remainingData(
  root: string,
  person: string,
  { rooms, unread, history, documents }: SharedData,
): readonly string[] {
  const own = segment(person)
  const folders = ["", ...furtherAgents(root)]
  const isAny = (...names: readonly string[]) =>
    folders.some((folder) => names.some((name) => existsSync(join(root, folder, name)))) ||
    documents.some((path) => names.some((name) => path === name || path.startsWith(`${name}/`)))
  return [
    ...(rooms > 0 ? ["what they wrote in rooms, which belongs to the room"] : []),
    ...unread.map((path) => `${path}, which cannot be read as a plan and may be theirs`),
    ...(isAny("memory", "MEMORY.md")
      ? [`memory; to find lines to delete, run \`incipit memory search ${person}\``]
      : []),
    ...(own !== undefined && isAny(`users/${own}`) ? [`users/${own}/, their files`] : []),
    ...(history !== undefined && existsSync(history) ? [`${history}, the input history of chats here`] : []),
  ]
}

function furtherAgents(root: string): readonly string[] {
  try {
    return readdirSync(join(root, "agents"))
      .filter((id) => segment(id) !== undefined)
      .sort(byCodePoint)
      .map((id) => join("agents", id))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
