// `incipit why-miss`: why a call read less from the cache than it could have, and what that cost.
import { IncipitError } from "../../../base/error.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { namedReceipt } from "../../../record/ask/turn-diff.ts"
import { whyMiss } from "../../../record/ask/why-miss.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { latestRecorded, withRecord } from "./record-file.ts"

export async function run({ words, flags, terminal }: Invocation<"why-miss">): Promise<number> {
  return withRecord(flags, terminal, async (store) => {
    const name = words[0] ?? (await latestRecorded(store))
    const receipt = await namedReceipt(store, name)
    const miss = receipt && (await whyMiss(store, receipt.turn, receipt.step))
    if (miss === undefined) throw new IncipitError("not-recorded", `there is no recorded request "${name}"`)
    print({ flags, terminal }, miss, () => [escapeHidden(miss.sentence)])
    return 0
  })
}
