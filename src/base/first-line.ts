// The message of anything that was thrown, for use in another message.

/** Accepts any thrown value: third-party code may throw anything. */
export function firstLine(error: unknown): string {
  const text: unknown = error instanceof Error ? error.message : error
  return (typeof text === "string" && text.split("\n", 1)[0]) || "failed without a reason"
}
