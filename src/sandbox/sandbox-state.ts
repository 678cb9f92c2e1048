// What a session's commands run in: nothing, a sandbox, or a sandbox that cannot be set up here.
import type { Launch } from "../tools/agent/run-command.ts"
import type { CommandEnd, PlacedCommand } from "../tools/command-place.ts"
import type { SandboxFacts } from "./facts.ts"
import type { SandboxSettings } from "./settings.ts"

export type SandboxState =
  | { readonly kind: "off" }
  | { readonly kind: "missing"; readonly why: string; readonly isRequired: boolean }
  | Sandbox

export interface Sandbox {
  readonly kind: "on"
  readonly facts: SandboxFacts
  readonly settings: SandboxSettings
  run(command: PlacedCommand): Promise<InsideEnd>
  /** The host's command line for a program that runs on. Its box stays open until it is released. */
  launch(program: InsideProgram): Promise<InsideLaunch>
}

export interface InsideEnd extends CommandEnd {
  /** What the model should know beside the output. */
  readonly notes: readonly string[]
}

/** A program that runs on, such as a server. */
export interface InsideProgram {
  readonly argv: readonly string[]
  /** In addition to the usual environment. */
  readonly env: Readonly<Record<string, string>>
  readonly directory: string
  /** Whether it talks to the user's terminal. All others only read the agent's folders. */
  readonly hasTerminal?: boolean
}

export interface InsideLaunch extends Launch {
  /** To be called when the program has ended. Returns what its user should know of what it made. */
  release(): readonly string[]
}
