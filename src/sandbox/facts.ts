// The facts about a sandbox for the prompt. Each says what was set up, not what was asked for, and `check` proves each by
// trying.
import type { SandboxSettings } from "./settings.ts"

/** What a session's commands run in, as it holds. */
export interface SandboxFacts {
  readonly mode: "on" | "non-main"
  readonly backend: "bubblewrap" | "docker" | "podman"
  /** Undefined if nothing is shared between commands. */
  readonly scope: SandboxSettings["scope"] | undefined
  readonly image: string | undefined
  readonly workspace: SandboxSettings["workspace"]
  readonly network: SandboxSettings["network"]
}

/** In prompt order. */
export function factLines(facts: SandboxFacts): Readonly<Record<string, string>> {
  const { mode, backend, scope, image, workspace, network } = facts
  const all = { mode, backend, scope, image, workspace, network }
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
