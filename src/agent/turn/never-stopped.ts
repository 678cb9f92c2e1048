// The signal of work that cannot be stopped.
export const NEVER_STOPPED: AbortSignal = new AbortController().signal
