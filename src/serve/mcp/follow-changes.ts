// Tells a client when what it could list has changed: the files and skills that it may see. A change of anything else
// says nothing, or a client could count what it may not see. Looks at a few places from time to time: a client keeps its
// server for as long as it runs, in folders of any size, and a watch of all of them would take hundreds of megabytes.
import { dirname, join, resolve } from "node:path"
import { stampAt } from "../../files/identity.ts"
import type { CompiledPrompt, McpServing } from "./mcp-view.ts"
import { seenOf } from "./offers/seen-workspace.ts"

export interface FollowOptions {
  /** The workspace. */
  readonly folder: string
  readonly resourcesChanged: () => void
  readonly promptsChanged: () => void
  /** Between two looks. */
  readonly everyMs?: number
}

const EVERY_MS = 3_000

/** Until the returned function is called. */
export function followChanges(view: McpServing["view"], options: FollowOptions): () => void {
  const { folder, resourcesChanged, promptsChanged, everyMs = EVERY_MS } = options
  let last: Look | undefined
  let isOver = false
  const look = async () => {
    const before = last
    const places = before?.places ?? usualPlaces(folder)
    const stamp = stampOf(places)
    if (before !== undefined && stamp === before.stamp) return
    const seen = await lookAt(view, folder)
    // Taken before the look, or a change during it would be missed. Places that are new are stamped at the next one.
    const now = seen && { ...seen, stamp: sameOrder(seen.places, places) ? stamp : undefined }
    if (isOver || now === undefined) return
    last = now
    if (before !== undefined && now.files !== before.files) resourcesChanged()
    if (before !== undefined && now.skills !== before.skills) promptsChanged()
  }
  let looking = look()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, everyMs)
  timer.unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

interface Look {
  readonly files: string
  readonly skills: string
  /** What would look otherwise if they changed. */
  readonly places: readonly string[]
  /** Undefined: look again. */
  readonly stamp: string | undefined
}

/** Undefined while the workspace cannot be read: what was listed before still holds. */
async function lookAt(view: McpServing["view"], folder: string): Promise<Omit<Look, "stamp"> | undefined> {
  try {
    const compiled = await view().compile({})
    const seen = seenOf(compiled)
    return {
      places: placesOf(compiled, folder),
      files: JSON.stringify(seen.files.map(({ path }) => path)),
      skills: JSON.stringify(seen.skills.map(({ name, description, digest }) => [name, description, digest])),
    }
  } catch {
    return undefined
  }
}

/** Where skills are read from, below a workspace; a new one changes its folder. */
const SKILLS = ["skills", ".agents", ".agents/skills", ".claude", ".claude/skills", ".claude/commands"]

/** Of hidden ones, too: one of them may be opened. */
function placesOf({ agent, session }: CompiledPrompt, folder: string): readonly string[] {
  const paths = [
    ...[...agent.files, ...session.files].map(({ path }) => resolve(folder, path)),
    ...[...(agent.skills ?? []), ...(session.skills ?? [])].map(({ location }) => location),
  ]
  const folders = paths.flatMap((path) => [path, dirname(path), dirname(dirname(path))])
  return [...new Set([...usualPlaces(folder), ...folders])]
}

function usualPlaces(folder: string): readonly string[] {
  return ["", "incipit.yaml", ...SKILLS].map((name) => join(folder, name))
}

function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((path, at) => path === b[at])
}

function stampOf(places: readonly string[]): string {
  return places.map((path) => stampAt(path) ?? "").join("\n")
}
