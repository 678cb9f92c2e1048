// Globs for the file search tools: one without a slash matches names at any depth.
import { globOf } from "../../base/text/glob.ts"
import { ToolFailure } from "../host.ts"

/** The path is relative, with forward slashes. */
export function globMatcher(pattern: string): (path: string) => boolean {
  const bare = pattern.replace(/^(?:\.?\/)+/, "")
  const matches = globOf(bare.includes("/") ? bare : `**/${bare}`)
  if (matches === undefined) throw new ToolFailure("The pattern is too complex.")
  return matches
}
