// Durations as people write them: `30s`, `5m`, `1h`, `30d`.

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** The duration in milliseconds. Returns undefined if the text isn't a duration. */
export function parseDuration(text: string): number | undefined {
  const [, value = "", unit = ""] = /^(\d+(?:\.\d+)?) ?(ms|s|m|h|d|w)$/.exec(text.trim()) ?? []
  const factor = UNITS[unit]
  return factor === undefined ? undefined : Number(value) * factor
}

/** Whether a text is a duration that something may take. */
export function isDuration(text: string): boolean {
  return (parseDuration(text) ?? 0) > 0
}
