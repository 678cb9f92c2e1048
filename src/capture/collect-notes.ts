// Diagnostics of files that are read more than once: what is wrong with them is said once.
import type { Diagnostic } from "../base/diagnostic.ts"

export interface Notes {
  readonly diagnostics: readonly Diagnostic[]
  readonly onNote: (diagnostic: Diagnostic) => void
}

export function collectNotes(): Notes {
  const diagnostics: Diagnostic[] = []
  const said = new Set<string>()
  const onNote = (diagnostic: Diagnostic) => {
    const key = JSON.stringify(diagnostic)
    if (!said.has(key)) diagnostics.push(diagnostic)
    said.add(key)
  }
  return { diagnostics, onNote }
}
