// `incipit prune`: makes the record smaller now, by age and by size.
import { bytesText, parseBytes } from "../core/bytes.ts"
import { parseDuration } from "../core/duration.ts"
import { IncipitError } from "../core/error.ts"
import { prune } from "../record/retention.ts"
import type { FlagValues, Invocation } from "./commands.ts"
import { withRecord } from "./record-file.ts"
import { plural } from "./terminal.ts"

const USUAL_AGE = "30d"

export async function run({ flags, terminal }: Invocation): Promise<number> {
  return withRecord(
    flags,
    terminal,
    async (database, { config }) => {
      const age = given(flags, "older") ?? config.record?.retention ?? USUAL_AGE
      const size = given(flags, "max-size") ?? config.record?.max_size
      const report = await prune(database, {
        olderThanMs: parsed("older", age, parseDuration, "30d"),
        ...(size !== undefined && { maxBytes: parsed("max-size", size, parseBytes, "1GB") }),
        now: terminal.now(),
      })
      terminal.out(
        flags.json === true
          ? `${JSON.stringify(report, null, 2)}\n`
          : `${plural(report.events, "event")} and ${plural(report.receipts, "receipt")} removed; ${bytesText(report.bytesBefore)} became ${bytesText(report.bytesAfter)}\n`,
      )
      return 0
    },
    { readOnly: false },
  )
}

function given(flags: FlagValues, name: string): string | undefined {
  const value = flags[name]
  return typeof value === "string" ? value : undefined
}

function parsed(
  flag: string,
  text: string,
  parse: (text: string) => number | undefined,
  example: string,
): number {
  const value = parse(text)
  if (value === undefined)
    throw new IncipitError(
      "bad-argument",
      `--${flag} is "${text}", which is not an amount such as ${example}`,
    )
  return value
}
