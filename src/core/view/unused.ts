// Why a section has no text, as data. A section's `build` says what it knows; the gate adds which files were looked for
// and what the audience may not see (why-unused.ts); read/unused-text.ts puts a reason into a sentence. Reasons are
// for the operator: `visible(plan)` leaves out everything that is unused.
import type { Mode } from "../model/mode.ts"

/** What a session or a turn may have, and this one has not. */
export const FACTS = [
  "background",
  "channel",
  "directory",
  "documentation",
  "environment",
  "git",
  "message",
  "person",
  "plan-mode",
  "task",
] as const
/** What a session or a turn may have, and this one has not. */
export type MissingFact = (typeof FACTS)[number]

/** Why a section, a tool or an edit has no text in a prompt. */
export type UnusedReason =
  /**
   * None of the files that it is made from exists. `role`: which files; `looked`: where they would be, in the
   * folder `upFrom` and all above it if there is one; `nearest`: a file
   * that may have been meant; `setting`: what names such a file.
   */
  | {
      readonly kind: "no-file"
      readonly role: string
      readonly looked: readonly string[]
      readonly upFrom?: string
      readonly nearest?: string
      readonly setting?: string
    }
  /** Its files have no text. */
  | { readonly kind: "empty"; readonly paths: readonly string[] }
  /** Its files have no field of these names with a value. */
  | { readonly kind: "no-field"; readonly path: string; readonly fields: readonly string[] }
  | { readonly kind: "unavailable"; readonly path: string; readonly problem: string }
  /** Its file is in the prompt already, in another section. */
  | { readonly kind: "in-another"; readonly path: string; readonly section: string }
  /** A file takes the place of its text. */
  | { readonly kind: "replaced"; readonly by: string }
  /** A template places only what it names. */
  | { readonly kind: "not-placed"; readonly path: string; readonly placeholders: readonly string[] }
  /** Its files are for other situations or modes. */
  | {
      readonly kind: "other-audience"
      readonly path?: string
      readonly of: "situation" | "mode"
      readonly is: string
      readonly only: readonly string[]
    }
  /** It is for these channels; `is` is empty without a channel. */
  | { readonly kind: "other-channel"; readonly is: string; readonly only: readonly string[] }
  /** The profile leaves it out in this mode. */
  | { readonly kind: "mode"; readonly mode: Mode }
  | { readonly kind: "no-tools" }
  /** At least so many of these tools must be registered. `idle`: what would be listed with them. */
  | {
      readonly kind: "needs-tools"
      readonly tools: readonly string[]
      readonly least: number
      readonly idle?: { readonly what: "skill" | "memory file"; readonly count: number }
    }
  /** The request has it already: definitions of tools, with nothing to add. */
  | { readonly kind: "in-definitions"; readonly what: "tools" | "guidelines" | "call-format" }
  /** Skills that only a person can start are not listed. */
  | { readonly kind: "manual-only"; readonly count: number }
  /** A running agent or a program feeds it, and none did. */
  | { readonly kind: "not-fed"; readonly input: string }
  /** It was fed, but what came has no text. */
  | { readonly kind: "nothing-fed"; readonly input: string }
  | { readonly kind: "input-off"; readonly input: string }
  | { readonly kind: "no-fact"; readonly fact: MissingFact }
  /** The file is about the workspace's owner, and this is someone else. */
  | { readonly kind: "about-owner"; readonly path: string }
  | { readonly kind: "not-configured"; readonly setting: string }
  | { readonly kind: "no-extensions" }
  /** The message does not show for sure what it asks for. */
  | { readonly kind: "unsure" }
  /** Nothing in the file has to do with the message. */
  | { readonly kind: "not-relevant"; readonly path: string }
  | { readonly kind: "switched-off" }
  /** Its text depends on sections that are not in the prompt. */
  | { readonly kind: "depends"; readonly on: readonly string[] }
  | { readonly kind: "removed"; readonly by: string }
  | { readonly kind: "added-later" }
  | { readonly kind: "next-turn" }
  /** A tool's definition is written into the prompt. */
  | { readonly kind: "as-text" }
  /** An edit that was refused; the diagnostic with this code says more. */
  | { readonly kind: "refused-edit"; readonly code: string }
  /** The section's own code returned no text. */
  | { readonly kind: "built-nothing" }
  /** A reason that an earlier version stored as a sentence. */
  | { readonly kind: "stored"; readonly text: string }

/** What a section's `build` may return in place of text: why there is none. */
export interface Unused {
  readonly unused: UnusedReason
}

/** For `build`: no text, and why. */
export function unused(reason: UnusedReason): Unused {
  return { unused: reason }
}

/** For sections that the profile leaves out in this mode. */
export function notInMode(mode: Mode): Unused {
  return unused({ kind: "mode", mode })
}

/** The gate fills in where the files were looked for. `setting`: what in incipit.yaml names such a file. */
export function noFile(role: string, setting?: string): Unused {
  return unused({ kind: "no-file", role, looked: [], ...(setting !== undefined && { setting }) })
}

/** For text that a running agent feeds: none was fed, or nothing that can be used. */
export function notFed(inputs: object | undefined, input: { readonly name: string }): Unused {
  const isFed = inputs !== undefined && Object.hasOwn(inputs, input.name)
  return unused({ kind: isFed ? "nothing-fed" : "not-fed", input: input.name })
}

export function isUnused(built: unknown): built is Unused {
  return typeof built === "object" && built !== null && "unused" in built && !("parts" in built)
}
