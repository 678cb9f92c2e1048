// The names of the layouts in layouts.ts. A file of its own, so that the command line's help loads nothing else.

export const LAYOUT_NAMES = ["planned", "system-end", "two-tier", "one-block", "unmarked"] as const
export type LayoutName = (typeof LAYOUT_NAMES)[number]
