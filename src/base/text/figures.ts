// Counts, shares and lists as people read them.

export function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",")
}

export function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`
}

/** "a", "a and b", "a, b and c". */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`
}

export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (part / whole) * 100
  return share > 0 && share < 1 ? "under 1%" : `${Math.round(share)}%`
}
