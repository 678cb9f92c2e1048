// Amounts of data as people write them: `500MB`, `1GB`.

const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** The number of bytes. Returns undefined if the text isn't an amount of data. */
export function parseBytes(text: string): number | undefined {
  const [, value = "", unit = ""] = /^(\d+(?:\.\d+)?) ?([KMGT]?B)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.toUpperCase()]
  return factor === undefined ? undefined : Math.round(Number(value) * factor)
}

/** At most three digits, in the largest unit that fits. */
export function bytesText(bytes: number): string {
  const name = Object.keys(UNITS).findLast((unit) => bytes >= (UNITS[unit] ?? 1)) ?? "B"
  const value = bytes / (UNITS[name] ?? 1)
  return `${value >= 100 || name === "B" ? Math.round(value) : value.toFixed(1)} ${name}`
}
