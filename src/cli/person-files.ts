// What is kept of one person in files: their plans, which go with their conversations, and what is left for somebody to
// look at, since it is text about more than one person.
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { erasePlans } from "../agent/feeds/plans.ts"
import { byCodePoint } from "../core/order.ts"
import { errorCode } from "../core/system-error.ts"
import { segment } from "../sources/workspace.ts"

/** Paths of their plans, of all agents of the workspace. */
export function erasePersonPlans(root: string, whose: readonly string[], isDry: boolean): readonly string[] {
  return ["", ...furtherAgents(root)].flatMap((folder) =>
    erasePlans(join(root, folder), whose, isDry).map((path) => join(folder, path)),
  )
}

/** What stays, as sentences. `rooms`: how many conversations in rooms there are. */
export function leftOf(root: string, person: string, rooms: number): readonly string[] {
  const own = segment(person)
  const folders = ["", ...furtherAgents(root)]
  const isAny = (...names: readonly string[]) =>
    folders.some((folder) => names.some((name) => existsSync(join(root, folder, name))))
  return [
    ...(rooms > 0 ? ["what they said in rooms, which belongs to the room"] : []),
    ...(isAny("memory", "MEMORY.md")
      ? [`memory, which is text: \`incipit memory search ${person}\` finds lines to delete`]
      : []),
    ...(own !== undefined && isAny(join("users", own)) ? [`users/${own}/, their own files`] : []),
    ...(isAny(join(".incipit", "history")) ? [".incipit/history, what was typed in chats here"] : []),
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
