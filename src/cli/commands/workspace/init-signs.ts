// What `init` recognises in a folder: whose it is, and which profile reads it as it is.
import { existsSync } from "node:fs"
import { join } from "node:path"

export interface Sign {
  /** As people call it. */
  readonly system: string
  /** The profile that works in such a folder as its own system does. */
  readonly profile: string
  /** One of these is enough. */
  readonly marks: readonly string[]
}

/** The first that fits counts; what Incipit's own profile reads comes last. */
const SIGNS: readonly Sign[] = [
  { system: "pi", profile: "pi", marks: [".pi", ".sf"] },
  { system: "OSA", profile: "osa", marks: ["priv/rules"] },
  { system: "Nova", profile: "nova", marks: ["memories.json", "tasks/tasks.json"] },
  { system: "Claude Code", profile: "incipit", marks: ["CLAUDE.md", "CLAUDE.local.md", ".claude"] },
  { system: "Coop", profile: "incipit", marks: ["SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md"] },
]

/** Nothing where Incipit is at home already, or where nobody is. */
export function signOf(folder: string): Sign | undefined {
  const has = (path: string) => existsSync(join(folder, path))
  return has("incipit.yaml") ? undefined : SIGNS.find(({ marks }) => marks.some(has))
}

/** Whether coding agents find their instructions here; an AGENTS.md of ours would take their place. */
export function hasInstructions(folder: string): boolean {
  return ["AGENTS.md", "AGENTS.override.md", "CLAUDE.md"].some((name) => existsSync(join(folder, name)))
}
