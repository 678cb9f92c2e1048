// How much a search and a look into a file return unless the caller asks for more or less. A file of its own, so that
// the command line's help loads nothing else.

export const DEFAULT_HITS = 10
export const DEFAULT_HIT_TOKENS = 1_000
export const DEFAULT_LINES = 120
