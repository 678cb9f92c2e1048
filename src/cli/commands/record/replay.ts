// `incipit replay`: the request of a recorded step, exactly as it was sent; its digests are checked on the way.
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import { replayOf, reportOf } from "../../../record/ask/replay.ts"
import { namedReceipt } from "../../../record/ask/turn-diff.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { withRecord } from "./record-file.ts"

export async function run({ words, flags, terminal }: Invocation<"replay">): Promise<number> {
  return withRecord(flags, terminal, async (store) => {
    const receipt = await namedReceipt(store, words[0] ?? "")
    if (receipt === undefined)
      throw new IncipitError("not-recorded", `there is no recorded request "${words[0]}"`)
    const found = await replayOf(store, receipt)
    const { request, damaged, redacted, rounded } = found
    terminal.exact(`${JSON.stringify(flags.json ? found : request, null, 2)}\n`)
    const about = (await reportOf(store, receipt))?.plan.about
    if (about !== undefined && about.coverage !== "exact")
      terminal.err("This is only what is known of the request, not all that was sent.\n")
    for (const { pointer, digest } of damaged)
      terminal.err(`incipit: the text at ${pointer || "/"} is damaged or missing (${digest})\n`)
    if (redacted.length > 0)
      terminal.err(
        `${plural(redacted.length, "text")} contained secrets, which are never recorded: ${redacted.join(", ")}\n`,
      )
    if (rounded.length > 0)
      terminal.err(
        `${plural(rounded.length, "number")} had more digits than are recorded: ${rounded.join(", ")}\n`,
      )
    return damaged.length === 0 ? 0 : 1
  })
}
