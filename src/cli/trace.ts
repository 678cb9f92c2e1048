// `incipit trace`: what happened to one message, as a tree with times, tokens and retries.
import { IncipitError } from "../core/error.ts"
import { traceLines, traceOf } from "../record/trace.ts"
import type { Invocation } from "./commands.ts"
import { latestTurn, withRecord } from "./record-file.ts"

export async function run({ words, flags, terminal }: Invocation): Promise<number> {
  return withRecord(flags, terminal, (database) => {
    const id = words[0] ?? latestTurn(database)
    const trace = traceOf(database, id)
    if (trace === undefined) throw new IncipitError("not-recorded", `there is no turn or trace "${id}"`)
    terminal.out(
      flags.json === true ? `${JSON.stringify(trace, null, 2)}\n` : `${traceLines(trace).join("\n")}\n`,
    )
    return 0
  })
}
