// `incipit statusline`: one line for Claude Code's status line, from the JSON that it passes on stdin. Reads the end of
// that one session's transcript. Whatever is missing is left out: a status line is no place for an error.

import { statSync } from "node:fs"
import { isAbsolute } from "node:path"
import { z } from "zod"
import { errorCode } from "../../../base/system-error.ts"
import { percent } from "../../../base/text/figures.ts"
import { spanText } from "../../../capture/bill/misses/miss-text.ts"
import type { CalledUsage } from "../../../capture/call.ts"
import { usageOf } from "../../../capture/clients/claude-code/claude-code-usage.ts"
import { keptBy, priceOfLoss } from "../../../record/ask/cache-loss.ts"
import { ttlOf } from "../../../render/cache/cache-rule.ts"
import { ruleFor } from "../../../render/cache/cache-rules.ts"
import { inputOf } from "../../../render/cache/price.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import { money, tokenText } from "../../views/bill/words.ts"

export async function run({ terminal }: Invocation<"statusline">): Promise<number> {
  const { transcript_path: path, cost } = readStatus(await textOf(terminal))
  // Claude Code names a whole path. Any other would be a file of whatever folder it happens to be in.
  const calls = path !== undefined && isAbsolute(path) ? await lastCalls(path) : []
  const spent = cost?.total_cost_usd
  const parts = [
    ...(spent === undefined ? [] : [money(spent)]),
    ...(calls.length === 0 ? [] : [`${cachedShare(calls)} cached`]),
    ...(await lastMiss(calls)),
  ]
  terminal.out(`${parts.join(" · ")}\n`)
  return 0
}

const statusSchema = z.object({
  transcript_path: z.string().min(1).optional().catch(undefined),
  cost: z
    .object({ total_cost_usd: z.number().min(0) })
    .optional()
    .catch(undefined),
})

/** Empty for anything that is not such JSON. */
function readStatus(text: string): z.infer<typeof statusSchema> {
  try {
    return statusSchema.safeParse(JSON.parse(text)).data ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** More than Claude Code passes. */
const MOST_CHARACTERS = 1_000_000

async function textOf({ streams }: Terminal): Promise<string> {
  // Somebody who tries it at a terminal passes nothing.
  if (streams === undefined || streams.input.isTTY === true) return ""
  let text = ""
  streams.input.setEncoding("utf8")
  for await (const piece of streams.input) {
    text += String(piece)
    if (text.length > MOST_CHARACTERS) return ""
  }
  return text
}

/** A status line is written many times a minute, and a session may be long. */
const MOST_BYTES = 8_000_000

async function lastCalls(path: string): Promise<readonly CalledUsage[]> {
  const calls: CalledUsage[] = []
  try {
    const { size, mtimeMs } = statSync(path)
    const file = { client: "claude-code", path, bytes: size, changedAt: mtimeMs } as const
    const options = { from: Math.max(0, size - MOST_BYTES), onlyMain: true }
    for await (const read of usageOf(file, "", options)) if (read.kind === "call") calls.push(read.call)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
  return calls
}

function cachedShare(calls: readonly CalledUsage[]): string {
  const sum = (tokens: (call: CalledUsage) => number) => calls.reduce((all, call) => all + tokens(call), 0)
  return percent(
    sum(({ usage }) => usage.read),
    sum(({ usage }) => inputOf(usage)),
  )
}

/** By what the calls used alone: a pause, another model, or just how much was written again. */
async function lastMiss(calls: readonly CalledUsage[]): Promise<readonly string[]> {
  for (let at = calls.length - 1; at > 0; at -= 1) {
    const [before, after] = [calls[at - 1], calls[at]]
    if (before === undefined || after === undefined) continue
    const rule = ruleFor(after.model)
    const lost = Math.min(keptBy(before.usage, rule), inputOf(after.usage)) - after.usage.read
    if (lost < Math.max(LEAST_TOKENS, rule.step)) continue
    // The price table is slow to load.
    const { priceFor } = await import("../../../record/prices/prices.ts")
    const usd = priceOfLoss(lost, after.usage, priceFor(after.model, { at: after.at }))
    const cost = usd === null ? "" : `, ${money(usd)}`
    return [`last miss: ${causeOf(before, after, lost)}${cost}`]
  }
  return []
}

/** A few tokens less are a client that moved its mark, not a loss that anybody would act on. */
const LEAST_TOKENS = 1000

function causeOf(before: CalledUsage, after: CalledUsage, lost: number): string {
  if (before.model !== after.model) return "model switch"
  const rule = ruleFor(before.model)
  const names = Object.keys(before.usage.write)
  const lifetimes = (names.length === 0 ? [undefined] : names).map((name) => ttlOf(rule, name).seconds * 1000)
  const idle = after.at - before.at
  return idle > Math.min(...lifetimes)
    ? `${spanText(idle).replace(" ", "-")} pause`
    : `${tokenText(lost)} tokens`
}
