// Diagnostics: errors, warnings and hints about the input, as data. They are never thrown: the rest of the input still
// works. `diagnostics/` has every code with its level, its data and its sentence, one table for each subject.
import { CAPTURE_DIAGNOSTICS } from "./diagnostics/capture.ts"
import { CHECK_DIAGNOSTICS } from "./diagnostics/checks.ts"
import { EXTENSION_DIAGNOSTICS } from "./diagnostics/extensions.ts"
import { FILE_DIAGNOSTICS } from "./diagnostics/files.ts"
import type { DiagnosticLevel } from "./diagnostics/kind.ts"
import { PROMPT_DIAGNOSTICS } from "./diagnostics/prompt.ts"
import { REQUEST_DIAGNOSTICS } from "./diagnostics/request.ts"
import { SETTING_DIAGNOSTICS } from "./diagnostics/settings.ts"
import type { Trust } from "./trust.ts"

const DIAGNOSTICS = {
  ...PROMPT_DIAGNOSTICS,
  ...FILE_DIAGNOSTICS,
  ...SETTING_DIAGNOSTICS,
  ...EXTENSION_DIAGNOSTICS,
  ...CHECK_DIAGNOSTICS,
  ...REQUEST_DIAGNOSTICS,
  ...CAPTURE_DIAGNOSTICS,
} as const

export type Code = keyof typeof DIAGNOSTICS

/**
 * Something that is wrong with the input but stops nothing; `sentence` puts it into words. `needs`: the trust required
 * to see it, so that a diagnostic about a hidden file is as hidden as the file. `others`: how many more files of the
 * folder have the same problem, when one diagnostic covers all of them.
 */
export type Diagnostic = {
  readonly [C in Code]: {
    readonly code: C
    readonly needs?: Trust
    readonly others?: number
  } & Parameters<(typeof DIAGNOSTICS)[C]["sentence"]>[0]
}[Code]

/** A diagnostic as one line for people: where, then what. */
export function sentence(diagnostic: Diagnostic): string {
  // The table's key and the diagnostic's code are the same, which the index type cannot express.
  const write = DIAGNOSTICS[diagnostic.code].sentence as (data: Diagnostic) => string
  const { others } = diagnostic
  const also = others === undefined ? "" : ` (the same in ${others} other files of the folder)`
  return `${place(diagnostic)}${write(diagnostic)}${also}`
}

export function levelOf({ code }: Diagnostic): DiagnosticLevel {
  return DIAGNOSTICS[code].level
}

function place(diagnostic: Diagnostic): string {
  if (!("path" in diagnostic)) return ""
  return "line" in diagnostic ? `${diagnostic.path}:${diagnostic.line}: ` : `${diagnostic.path}: `
}

export const CODES = Object.keys(DIAGNOSTICS).sort() as readonly Code[]
