// Failures that stop the work: one class, with the codes of one table.
import { ERROR_HELP } from "./diagnostics/error-help.ts"

/** The code of an `IncipitError`. */
export type ErrorCode = keyof typeof ERROR_HELP

/** The one class of errors that Incipit throws on purpose: its `code` is stable, and `help` says what to do. */
export class IncipitError extends Error {
  readonly code: ErrorCode
  /** What to do next. A field and not a getter, so that consoles print it with the error. */
  readonly help: string
  override readonly name = "IncipitError"

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.help = ERROR_HELP[code]
  }
}
