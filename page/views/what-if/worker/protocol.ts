// What goes between the page and the worker that compiles: plain data in both directions.
import type { Report } from "../../../../src/core/read/report.ts"
import type { ShownPart } from "../../../../src/serve/page/shown.ts"
import type { WhatIfInput } from "../../../../src/serve/page/what-if/what-if-shown.ts"
import type { DiffRow } from "../../../parts/line-rows.ts"
import type { ProfileName } from "./profile-names.ts"

/** What is changed in the input. Absent: as it is. */
export interface WhatIfSettings {
  readonly now?: number | undefined
  readonly model?: string | undefined
  /** The most tokens of the cached prefix. */
  readonly head?: number | undefined
  readonly message?: string | undefined
  readonly sections: Readonly<Record<string, "off" | "on" | { readonly text: string }>>
  /** New texts of files, by path. */
  readonly files: Readonly<Record<string, string>>
}

export const NO_SETTINGS: WhatIfSettings = { sections: {}, files: {} }

/** Sizes and prices of one prompt. Simulated, like every cache figure before a call. */
export interface PromptFigures {
  readonly bytes: number
  /** All input, in the model's tokens. */
  readonly tokens: number
  /** Whether the model's own tokens are known exactly. */
  readonly isExact: boolean
  readonly model: string
  /** With nothing cached, and with the same prompt cached before. In dollars. */
  readonly firstUsd: number | null
  readonly laterUsd: number | null
}

/** What the provider's cache would do with the changed prompt right after the real one. */
export interface CacheShare {
  readonly read: number
  readonly written: number
  readonly uncached: number
  readonly usd: number | null
  /** The rule that this follows. */
  readonly rule: string
}

/** In the place of a section's id, which begins with a letter. */
export const TOOLS = "(tools)"

/** A section, or all tools as one, before and after. */
export interface SectionChange {
  readonly id: string
  readonly before: SectionState | undefined
  readonly after: SectionState | undefined
  readonly isTextChanged: boolean
}

export interface SectionState {
  readonly pace: string
  readonly tokens: number
  readonly outcome: Report["sections"][number]["outcome"]
  /** The files that its text comes from. */
  readonly paths: readonly string[]
  /** Whether it can be switched off and get another text. */
  readonly isAdjustable: boolean
}

export interface Compared {
  readonly report: Report
  readonly real: PromptFigures
  readonly changed: PromptFigures
  readonly cache: CacheShare | undefined
  /** For the bar of blocks: the real prompt as a first call, and the changed one right after it. */
  readonly parts: { readonly real: readonly ShownPart[]; readonly changed: readonly ShownPart[] } | undefined
  readonly sections: readonly SectionChange[]
  readonly rows: readonly DiffRow[]
  /** How long the worker took. */
  readonly durationMs: number
}

export type ToWorker =
  | { readonly kind: "input"; readonly key: string; readonly input: WhatIfInput }
  | {
      readonly kind: "compare"
      readonly id: number
      /** Keys of inputs that were sent before. */
      readonly real: string
      readonly changed: string
      /** Undefined: compares what the server compiled, because the browser cannot compile these. */
      readonly settings: WhatIfSettings | undefined
    }
  | { readonly kind: "forget"; readonly key: string }
  | { readonly kind: "section-text"; readonly id: number; readonly key: string; readonly section: string }
  /** The prompt that another bundled profile makes of an input. */
  | { readonly kind: "report"; readonly id: number; readonly key: string; readonly profile: ProfileName }

export type FromWorker =
  /** Whether the worker compiled the same bytes as the server. */
  | {
      readonly kind: "checked"
      readonly key: string
      readonly isSame: boolean
      readonly problem: string | undefined
    }
  | { readonly kind: "compared"; readonly id: number; readonly compared: Compared }
  | { readonly kind: "section-text"; readonly id: number; readonly text: string }
  | { readonly kind: "report"; readonly id: number; readonly report: Report }
  | { readonly kind: "failed"; readonly id: number; readonly problem: string }
