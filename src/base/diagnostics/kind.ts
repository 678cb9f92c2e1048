// What the tables of diagnostics are made of: levels, and the form of one code.

/**
 * `error`: something that was asked for is not in the prompt, a provider would refuse the request, or text reaches
 * people who may not see it. `warning`: the prompt differs from what its author probably expects. `hint`: it could be
 * shorter, cheaper or more portable.
 */
export const LEVELS = ["error", "warning", "hint"] as const
export type DiagnosticLevel = (typeof LEVELS)[number]

/** One code: its level, and its sentence. The sentence names the data that a diagnostic with the code has. */
export interface Kind<D> {
  readonly level: DiagnosticLevel
  readonly sentence: (data: D) => string
}

export function error<D>(sentence: (data: D) => string): Kind<D> {
  return { level: "error", sentence }
}

export function warning<D>(sentence: (data: D) => string): Kind<D> {
  return { level: "warning", sentence }
}

export function hint<D>(sentence: (data: D) => string): Kind<D> {
  return { level: "hint", sentence }
}

/** About a file. */
export interface In {
  readonly path: string
}

/** About a line of a file. */
export interface At extends In {
  readonly line: number
}

/** The end of a sentence about an unknown word. */
export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? "" : `. Did you mean "${nearest}"?`
}
