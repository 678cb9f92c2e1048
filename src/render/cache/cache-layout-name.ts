// The names of the layouts in cache-layouts.ts, in a separate file so that the command line's help loads nothing else.

export const CACHE_LAYOUT_NAMES = ["planned", "system-end", "two-tier", "one-block", "unmarked"] as const
export type CacheLayoutName = (typeof CACHE_LAYOUT_NAMES)[number]
