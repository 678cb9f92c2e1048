// `cost`: tokens and dollars, by whose text it was, day, session, person, model or client.
import { parseSince } from "../../../record/ask/since.ts"
import type { ShownCosts, ShownSums } from "../../page/shown.ts"
import { COST } from "../definitions.ts"
import type { McpView } from "../mcp-view.ts"
import { ABOUT_ANSWER, fields, listOf, NUMBER, TEXT, USD } from "./answer-schema.ts"
import { badInput, mcpTool } from "./mcp-tool.ts"

const SUMS = {
  ...{ calls: { type: ["number", "null"] }, uncached: NUMBER, read: NUMBER, written: NUMBER, output: NUMBER },
  ...{ costUsd: USD, unpriced: NUMBER },
} as const

const row = fields({ what: TEXT, group: TEXT, ...SUMS, tokens: NUMBER, carriedTokens: NUMBER }, [
  "group",
  "uncached",
  "read",
  "written",
  "output",
  "unpriced",
  "tokens",
  "carriedTokens",
])

export const costTool = mcpTool(COST, {
  answer: fields(
    { of: TEXT, by: TEXT, total: fields(SUMS), rows: listOf(row), notes: listOf(TEXT), ...ABOUT_ANSWER },
    ["left"],
  ),
  async run({ by = "day", since, session, of }, { view, client }) {
    // Before anything is looked up: what there is depends on what others did.
    if (view.reader.trust !== "full") throw badInput("costs need full trust")
    const own = of === undefined ? await view.ownSession(client) : undefined
    const sources = await view.sources()
    const source = of === undefined ? (own?.source ?? sources[0]) : sources.find(({ id }) => id === of)
    if (source === undefined) throw badInput("no calls are recorded here")
    const asked = { by, since: sinceOf(since, view), session, timeZone: view.timeZone }
    const found = await source.costs(view.reader, asked)
    if (found === undefined) throw badInput(`there is no session ${session}`)
    if (!found.ways.includes(by)) throw badInput(`these calls are summed by ${found.ways.join(", ")}`)
    return {
      data: { of: source.title, by, total: shownSums(found.total), rows: rowsOf(found), notes: found.notes },
      ...{ lists: ["rows"], how: "narrow it with since or session" },
    }
  },
})

/** For days, the newest matter most. */
function rowsOf({ by, rows, owners }: ShownCosts): readonly Readonly<Record<string, unknown>>[] {
  if (by === "owner")
    return owners.map(({ title, group, tokens, carriedTokens, calls, carriedUsd }) => ({
      ...{ what: title, group, calls, costUsd: carriedUsd, tokens, carriedTokens },
    }))
  const inOrder = by === "day" ? rows.toReversed() : rows
  return inOrder.map((one) => ({ what: one.title === "" ? one.key : one.title, ...shownSums(one) }))
}

function shownSums({ calls, usage, costUsd, unpriced }: ShownSums) {
  const { uncached, read, written, output } = usage
  const whole = (tokens: number) => Math.round(tokens)
  return {
    ...{
      calls,
      uncached: whole(uncached),
      read: whole(read),
      written: whole(written),
      output: whole(output),
    },
    ...{ costUsd, unpriced },
  }
}

export function sinceOf(text: string | undefined, { now, timeZone }: McpView): number | undefined {
  if (text === undefined) return undefined
  const since = parseSince(text, now(), timeZone)
  if (since === undefined) throw badInput("since must be a time such as 12h, 7d, today or 2026-11-15")
  return since
}
