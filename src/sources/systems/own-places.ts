// Where a system keeps what an agent may change of itself: its instructions, its responsibilities, and facts for every
// conversation. Only says where a text stands in a file, and what the file is with another text in its place.
import { join } from "node:path"
import type { Workspace } from "../workspace.ts"
import { withoutResponsibility } from "./responsibilities.ts"

/** What a file becomes, or why it can't. */
export type Rewritten =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "problem"; readonly problem: string }

export interface InstructionsPlace {
  /** Absolute. */
  readonly path: string
  /** Names the part of the file that holds them, where that isn't all of it. */
  readonly part?: string
  /** Returns undefined if there are none. `file` is undefined where there is no file yet. */
  read(file: string | undefined): string | undefined
  write(file: string | undefined, text: string): Rewritten
}

export interface ResponsibilitiesPlace {
  readonly path: string
  titles(file: string | undefined): readonly string[]
  /** Returns undefined if none has that title. */
  without(file: string, title: string): string | undefined
}

/** Facts that are sent in every conversation. */
export interface FactsPlace {
  readonly path: string
  /** Returns undefined if the file says it already. `line` is where it stands then. */
  add(file: string | undefined, fact: string): (Rewritten & { readonly line?: number }) | undefined
}

export interface OwnPlaces {
  readonly instructions: InstructionsPlace
  /** Absent where no responsibilities are sent. */
  readonly responsibilities?: ResponsibilitiesPlace
  /** Absent where the memory stores hold all facts. */
  readonly facts?: FactsPlace
}

/** A file that holds the instructions and nothing else. */
export function wholeFile(path: string): InstructionsPlace {
  return {
    path,
    read: (file) => file,
    write: (_file, text) => ({ kind: "text", text: text.endsWith("\n") ? text : `${text}\n` }),
  }
}

/** AGENTS.md of the agent's folder, and incipit.yaml. */
export function incipitPlaces({ folder, root, config }: Workspace): OwnPlaces {
  return {
    instructions: wholeFile(join(folder, "AGENTS.md")),
    responsibilities: {
      path: join(root, "incipit.yaml"),
      titles: () => (config.responsibilities ?? []).map(({ title }) => title),
      without: withoutResponsibility,
    },
  }
}
