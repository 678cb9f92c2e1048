// What If between server and browser, as plain data: everything that one prompt is compiled from, and a change to the
// workspace as a patch. Types only, so that nothing of the server reaches the browser. For operators: the input holds
// text that the prompt's own audience may not see.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import type { Budget } from "../../../core/fit/budget.ts"
import type { Agent, Session, ToolFormat, Turn } from "../../../core/model/inputs.ts"
import type { Mode } from "../../../core/model/mode.ts"
import type { SourceFile } from "../../../core/model/source.ts"
import type { Report } from "../../../core/read/report.ts"
import type { Adjustment } from "../../../profiles/adjust.ts"
import type { CacheRule } from "../../../render/cache/cache-rule.ts"
import type { Price } from "../../../render/cache/price.ts"

/** For whom, where and about what the prompt is. */
export interface WhatIfAsked {
  readonly agent?: string | undefined
  /** Null for somebody whom incipit.yaml does not name; absent for the caller. */
  readonly user?: string | null | undefined
  readonly situation?: string | undefined
  readonly mode?: Mode | undefined
  readonly message?: string | undefined
}

/** The lines of a value as pairs: JSON has no maps. */
export interface PlainLines {
  readonly line: number
  readonly below?: readonly (readonly [key: string, lines: PlainLines])[]
}

export interface PlainFile extends Omit<SourceFile, "lines"> {
  readonly lines?: PlainLines
}

export type PlainAgent = Omit<Agent, "files"> & { readonly files: readonly PlainFile[] }
export type PlainSession = Omit<Session, "files"> & { readonly files: readonly PlainFile[] }

/** A profile that the browser has as well, or why there is none that it could run. */
export type WhatIfProfile =
  | { readonly kind: "bundled"; readonly name: string; readonly adjustment: Adjustment }
  | { readonly kind: "custom"; readonly name: string }

/** A model that the prompt may be compiled and priced for. */
export interface WhatIfModel {
  readonly id: string
  readonly toolFormat: ToolFormat
  readonly rule: CacheRule
  readonly price: Price | null
  /** Named in incipit.yaml, or the agent's own. */
  readonly isConfigured: boolean
}

/** A file that the prompt is made from. */
export type WhatIfFile =
  /** `before`: what the file has before the text that is sent, such as frontmatter. */
  | { readonly path: string; readonly kind: "editable"; readonly before: string }
  | { readonly path: string; readonly kind: "fixed"; readonly why: string }

/** What the compiler in the browser needs, and what the server compiled from the same. */
export interface WhatIfInput {
  readonly profile: WhatIfProfile
  readonly agent: PlainAgent
  readonly session: PlainSession
  readonly turn: Turn
  readonly budget: Budget
  readonly ttl: string
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the message counts as conversation, as it does for a running agent. */
  readonly countsMessage: boolean
  /** The one of the prompt first. */
  readonly models: readonly WhatIfModel[]
  readonly files: readonly WhatIfFile[]
  /** Hooks of incipit.yaml. They may act, so no preview runs them. */
  readonly hooks: readonly string[]
  /** Why changes to incipit.yaml cannot be saved; null if they can. */
  readonly configProblem: string | null
  readonly report: Report
}

/** Changes that a patch can hold. */
export interface WhatIfChanges {
  /** The new texts of files, by path, without what is before the text. */
  readonly files?: Readonly<Record<string, string>> | undefined
  /** Sections that are switched off or on, or have another text. */
  readonly sections?: Readonly<Record<string, "off" | "on" | { readonly text: string }>> | undefined
  /** The most tokens of stable and session text. */
  readonly head?: number | undefined
  readonly model?: string | undefined
}

/** A change to the workspace, to look at and to apply. */
export interface WhatIfPatch {
  /** For `git apply` in the workspace. Empty if nothing changes. */
  readonly patch: string
  readonly files: readonly { readonly path: string; readonly isNew: boolean }[]
}

export interface WhatIfApplied {
  readonly written: readonly string[]
}
