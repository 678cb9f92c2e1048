// Reports a time zone that does not exist. The clock ignores it, so without a diagnostic the user could not see why it
// shows another time.
import { isTimeZone } from "../base/clock-face.ts"
import type { Diagnostic } from "../base/diagnostic.ts"

/** Empty for a valid zone or no value. Only for the owner: not every trusted audience may know where a person lives. */
export function unknownZone(value: unknown, path: string): readonly Diagnostic[] {
  if (value === undefined || value === null || value === "" || isTimeZone(value)) return []
  const said = typeof value === "object" ? "a list or a map" : String(value)
  return [{ code: "unknown-time-zone", path, value: said, needs: "full" }]
}
