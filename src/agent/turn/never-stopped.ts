// The signal of work that nobody can stop.
export const NEVER_STOPPED: AbortSignal = new AbortController().signal
