// The system of an agent without a workspace: it reads no file, and has none to change.
import { join } from "node:path"
import type { System } from "./system.ts"

const NOTHING = { value: { files: [], skills: [] }, diagnostics: [] }

export const noFilesSystem: System = {
  homes: [],
  // Without files, its prompt is what the profile says, as intended.
  inSession: true,
  agent: () => NOTHING,
  session: () => NOTHING,
  places: ({ folder }) => ({
    instructions: {
      path: join(folder, "AGENTS.md"),
      read: () => undefined,
      write: () => ({ kind: "problem", problem: "this agent has no workspace" }),
    },
  }),
}
