// Where a system keeps what an agent may change about itself: its instructions, its responsibilities, and facts for
// every conversation. Only locates a text in a file, and returns the file's content with another text in its place.
import { join } from "node:path"
import type { Workspace } from "../workspace.ts"
import { withoutResponsibility } from "./responsibilities.ts"

/** The new content of a file, or why it cannot be changed. */
export type Rewritten =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "problem"; readonly problem: string }

export interface InstructionsPlace {
  /** Absolute. */
  readonly path: string
  /** Names the part of the file that holds them, unless they are the whole file. */
  readonly part?: string
  /** Returns undefined if there are none. `file` is undefined if the file does not exist yet. */
  read(file: string | undefined): string | undefined
  write(file: string | undefined, text: string): Rewritten
}

export interface ResponsibilitiesPlace {
  readonly path: string
  titles(file: string | undefined): readonly string[]
  /** Returns undefined if no responsibility has that title. */
  without(file: string, title: string): string | undefined
}

/** Facts that are sent in every conversation. */
export interface FactsPlace {
  readonly path: string
  /** Returns undefined if the file already has the fact. Otherwise, `line` is its line in the new file. */
  add(file: string | undefined, fact: string): (Rewritten & { readonly line?: number }) | undefined
}

export interface EditablePlaces {
  readonly instructions: InstructionsPlace
  /** Absent if the system sends no responsibilities. */
  readonly responsibilities?: ResponsibilitiesPlace
  /** Absent if the memory stores hold all facts. */
  readonly facts?: FactsPlace
}

/** A file that holds only the instructions. */
export function wholeFile(path: string): InstructionsPlace {
  return {
    path,
    read: (file) => file,
    write: (_file, text) => ({ kind: "text", text: text.endsWith("\n") ? text : `${text}\n` }),
  }
}

/** AGENTS.md in the agent's folder, and incipit.yaml. */
export function incipitPlaces({ folder, root, config }: Workspace): EditablePlaces {
  return {
    instructions: wholeFile(join(folder, "AGENTS.md")),
    responsibilities: {
      path: join(root, "incipit.yaml"),
      titles: () => (config.responsibilities ?? []).map(({ title }) => title),
      without: withoutResponsibility,
    },
  }
}
