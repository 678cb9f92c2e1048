// What `init` recognises in a folder: which system it belongs to, and which profile reads it unchanged.
import { existsSync } from "node:fs"
import { join } from "node:path"

export interface Sign {
  /** Its usual name. */
  readonly system: string
  /** The profile that works in such a folder as its own system does. */
  readonly profile: string
  /** One of these is enough. */
  readonly marks: readonly string[]
}

/** The first match counts; files that Incipit's own profile reads come last. */
const SIGNS: readonly Sign[] = [
  { system: "pi", profile: "pi", marks: [".pi", ".sf"] },
  { system: "OSA", profile: "osa", marks: ["priv/rules"] },
  { system: "Nova", profile: "nova", marks: ["memories.json", "tasks/tasks.json"] },
  { system: "Claude Code", profile: "incipit", marks: ["CLAUDE.md", "CLAUDE.local.md", ".claude"] },
  { system: "Coop", profile: "incipit", marks: ["SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md"] },
]

/** Returns undefined if the folder is an Incipit workspace already, or has no signs. */
export function signOf(folder: string): Sign | undefined {
  const has = (path: string) => existsSync(join(folder, path))
  return has("incipit.yaml") ? undefined : SIGNS.find(({ marks }) => marks.some(has))
}

/** Whether the folder has instructions for coding agents, which our AGENTS.md would replace. */
export function hasInstructions(folder: string): boolean {
  return ["AGENTS.md", "AGENTS.override.md", "CLAUDE.md"].some((name) => existsSync(join(folder, name)))
}
