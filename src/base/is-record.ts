// Tells an object with fields from everything else that JSON or a user's module may hold.

/** True for objects; false for null and lists. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
