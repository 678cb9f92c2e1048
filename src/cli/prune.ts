// `incipit prune`: makes the record smaller now, by age and by size.
import { bytesText, parseBytes } from "../core/bytes.ts"
import { parseDuration } from "../core/duration.ts"
import { IncipitError } from "../core/error.ts"
import { prune } from "../record/retention.ts"
import type { FlagValues, Invocation } from "./command.ts"
import { withRecord } from "./record-file.ts"
import { plural } from "./terminal.ts"

const USUAL_AGE = "30d"

export async function run({ flags, terminal }: Invocation): Promise<number> {
  return withRecord(
    flags,
    terminal,
    async (database, { config }) => {
      const { retention = USUAL_AGE, max_size } = config.record ?? {}
      const age = amount(flags, "older") ?? { name: "record.retention in incipit.yaml", text: retention }
      const size =
        amount(flags, "max-size") ??
        (max_size === undefined ? undefined : { name: "record.max_size in incipit.yaml", text: max_size })
      const report = await prune(database, {
        olderThanMs: parsed(age, parseDuration, "30d"),
        ...(size !== undefined && { maxBytes: parsed(size, parseBytes, "1GB") }),
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

/** An amount as it was written, and the place where. */
interface Amount {
  readonly name: string
  readonly text: string
}

function amount(flags: FlagValues, name: string): Amount | undefined {
  const text = flags[name]
  return typeof text === "string" ? { name: `--${name}`, text } : undefined
}

function parsed(
  { name, text }: Amount,
  parse: (text: string) => number | undefined,
  example: string,
): number {
  const value = parse(text)
  if (value !== undefined) return value
  const code = name.startsWith("--") ? "bad-argument" : "bad-configuration"
  throw new IncipitError(code, `${name} is "${text}", which is not an amount such as ${example}`)
}
