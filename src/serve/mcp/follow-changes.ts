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
    // Before reading: what changes while it is read is seen by the next look.
    const stamp = before && stampOf(before.places)
    if (before !== undefined && stamp === before.stamp) return
    const now = await lookAt(view, folder)
    if (isOver || now === undefined) return
    // Places that are new were not stamped in time.
    const isSettled = before?.places.join("\n") === now.places.join("\n")
    last = { ...now, stamp: isSettled ? stamp : undefined }
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
  /** How they looked; undefined if that isn't known. */
  readonly stamp?: string | undefined
}

/** Undefined while the workspace cannot be read: what was listed before still holds. */
async function lookAt(view: McpServing["view"], folder: string): Promise<Look | undefined> {
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
  const usual = ["", "incipit.yaml", ...SKILLS].map((name) => join(folder, name))
  return [...new Set([...usual, ...folders])]
}

function stampOf(places: readonly string[]): string {
  return places.map((path) => stampAt(path) ?? "").join("\n")
}
