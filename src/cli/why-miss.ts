// `incipit why-miss`: why a call read less from the cache than it could have, and what that cost.
import { IncipitError } from "../core/error.ts"
import { whyMiss } from "../record/why-miss.ts"
import type { Invocation } from "./commands.ts"
import { latestTurn, stepOf, withRecord } from "./record-file.ts"

export async function run({ words, flags, terminal }: Invocation): Promise<number> {
  return withRecord(flags, terminal, (database) => {
    const name = words[0] ?? latestTurn(database)
    const { turn, step } = stepOf(name)
    // A turn's id may itself end in a number.
    const miss = whyMiss(database, name) ?? whyMiss(database, turn, step)
    if (miss === undefined) throw new IncipitError("not-recorded", `no request of "${name}" is recorded`)
    terminal.out(flags.json === true ? `${JSON.stringify(miss, null, 2)}\n` : `${miss.sentence}\n`)
    return 0
  })
}
