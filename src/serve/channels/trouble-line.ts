// A failure of a channel as one line for the operator's terminal. The record has the same.

/** `data`: as it is recorded. */
export function troubleLine(
  channel: string,
  error: unknown,
  { retryInMs, attempt, isGivenUp }: Readonly<Record<string, unknown>>,
): string {
  const said = error instanceof Error ? error.message : String(error)
  const tried = typeof attempt === "number" && attempt > 1 ? ` after ${attempt} attempts` : ""
  const next =
    typeof retryInMs === "number"
      ? ` Trying again in ${Math.ceil(retryInMs / 1_000)} s${tried && `,${tried}`}.`
      : ""
  const end = isGivenUp === true ? ` The message was not sent${tried}.` : next
  return `${channel}: ${said.replace(/\.?$/, ".")}${end}`
}
