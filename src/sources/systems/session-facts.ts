// What is known of a conversation before its files are gathered. A system gets it to find the files of the session.
import type { GivenInputs } from "../../core/model/section-input.ts"
import type { SourceFile } from "../../core/model/source.ts"
import type { AudienceQuery } from "../config/policy.ts"
import type { Place } from "../context/environment.ts"

export interface SessionFacts extends AudienceQuery {
  readonly id?: string
  readonly model?: string
  /** The working directory. Without it, there is no project context. */
  readonly directory?: string
  readonly task?: string
  readonly background?: boolean
  readonly inputs?: GivenInputs<"session">
  readonly timeZone?: string
  /** Where the user is, as reported by their client. */
  readonly place?: Place
  /** Environment variables of the machine, such as SHELL. Without them, the prompt has no facts about the machine. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Files already in the prompt, so that project context does not repeat them. */
  readonly known?: readonly SourceFile[]
  /** Real paths of those `directories` outside the workspace that the user has approved. Default: none. */
  readonly approved?: ReadonlySet<string>
}
