// A file that was looked for and not found, or that this audience has no access to. Only for the reasons in a plan; no
// section sees it.
import type { Trust } from "../../base/trust.ts"

/** A file that was looked for and is not read. */
export interface AbsentFile {
  readonly role: string
  /** As a person would write it. May be a pattern, such as `rules/*.md`. */
  readonly path: string
  /** A file beside it that may have been meant. */
  readonly nearest?: string
  /** It was looked for in this folder and all above it. */
  readonly upFrom?: string
  /** It exists, but needs more trust. */
  readonly needs?: Trust
  /** It is in the prompt already, under this role. */
  readonly usedAs?: string
}
