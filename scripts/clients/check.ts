// One line of the report: what was checked, for which client, and what came out.

export const CHECKS = [
  "rebuilt",
  "usage",
  "steady",
  "changes",
  "owners",
  "wrapped",
  "installed",
  "mcp",
  "adapter",
] as const
export type CheckName = (typeof CHECKS)[number]

export interface Check {
  readonly name: CheckName
  readonly client: string
  /** Where the calls were read from: the client's own files, body files, or the wire. */
  readonly from: string
  readonly what: string
  readonly holds: boolean
  readonly result: string
}

export function printChecks(checks: readonly Check[]): void {
  const rows = checks.map(({ name, client, from, what, holds, result }) => [
    holds ? "ok" : "FAILED",
    name,
    client,
    from,
    what,
    result,
  ])
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, at) => (at < 5 ? cell.padEnd(widths[at] ?? 0) : cell))
        .join("  ")
        .trimEnd(),
    )
  const failed = checks.filter(({ holds }) => !holds).length
  console.log(`\n${checks.length} checks, ${failed === 0 ? "all hold" : `${failed} failed`}`)
}
