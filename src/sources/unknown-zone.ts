// A time zone that somebody wrote down and that does not exist. The clock passes over it, so without a finding nobody
// would see why it shows another time.
import { isTimeZone } from "../base/clock-face.ts"
import type { Diagnostic } from "../base/diagnostic.ts"

/** Empty for a zone, and where nothing is said. For the owner alone: where a person lives is not for all who are trusted. */
export function unknownZone(value: unknown, path: string): readonly Diagnostic[] {
  if (value === undefined || value === null || value === "" || isTimeZone(value)) return []
  const said = typeof value === "object" ? "a list or a map" : String(value)
  return [{ code: "unknown-time-zone", path, value: said, needs: "full" }]
}
