// What calls cost: of a session of the caller, or of all sessions for an operator.
import { z } from "zod"
import { isTimeZone } from "../../../base/clock-face.ts"
import { COST_KEYS } from "../../../base/cost-keys.ts"
import type { Sight } from "../../../database/contract/record/event-log.ts"
import { costs } from "../../../record/ask/cost.ts"
import { parseSince } from "../../../record/ask/since.ts"
import { OFFLINE_CALLS } from "../../../record/prices/offline-calls.ts"
import type { ApiCall } from "../api-call.ts"
import { isOperator } from "../operator.ts"
import { badField } from "../read-input.ts"
import { type Route, route } from "../route.ts"
import { findSession } from "./own-sessions.ts"

const sums = {
  calls: z.int().nullable(),
  unpriced: z.int(),
  uncached: z.number(),
  read: z.number(),
  write: z.number(),
  output: z.number(),
  costUsd: z.number().nullable(),
}

export const COST_ROUTE: Route = route({
  ...{ method: "GET", path: "/api/cost", scopes: ["read"] },
  summary: "Sum up what calls cost",
  description:
    "The JSON of `incipit cost --json`. An operator gets all calls; others name a session of theirs, and cannot sum by section or file.",
  query: z.strictObject({
    by: z.enum(COST_KEYS).default("day"),
    since: z.string().optional().describe("Such as `7d`, `today`, or `2026-11-15`."),
    until: z.string().optional(),
    session: z.string().optional(),
    timeZone: z.string().default("UTC").describe("For days."),
  }),
  answer: z.strictObject({
    by: z.enum(COST_KEYS),
    since: z.number().optional(),
    until: z.number().optional(),
    timeZone: z.string(),
    rows: z.array(z.strictObject({ key: z.string(), ...sums })),
    total: z.strictObject(sums),
    turns: z.strictObject({ count: z.int(), averageUsd: z.number().nullable(), unpriced: z.int() }),
    unmeasured: z.int(),
    offline: z.int().describe(`Calls of the offline model. ${OFFLINE_CALLS}`),
  }),
  async handle({ query: { by, timeZone, session, ...range } }, call) {
    checkTimeZone(timeZone)
    const [since, until] = (["since", "until"] as const).map((name) =>
      momentOf(name, range[name], { now: call.services.now(), timeZone }),
    )
    const sight = await costSight(session, by, call)
    const { record } = call.agents.main
    await record.flushIfFree()
    return record.read((store) => costs(store, { by, timeZone, since, until, sight }))
  },
})

async function costSight(
  session: string | undefined,
  by: (typeof COST_KEYS)[number],
  call: ApiCall,
): Promise<Sight | undefined> {
  const { caller } = call
  if (session === undefined && isOperator(caller)) return undefined
  if (session === undefined)
    throw badField("session", "is missing: only an operator sees the cost of all sessions")
  if (by === "section" || by === "file")
    throw badField("by", "can be section or file only for an operator, and for all sessions")
  const { session: found } = await findSession(session, call)
  const user = isOperator(caller) ? found.who.replace(/^person:/, "") : (caller.user ?? "owner")
  return { session, user, trust: caller.trust }
}

function momentOf(
  name: string,
  text: string | undefined,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): number | undefined {
  if (text === undefined) return undefined
  const moment = parseSince(text, now, timeZone)
  if (moment === undefined)
    throw badField(name, `must be a time such as 1h, today or 2026-11-15, not "${text}"`)
  return moment
}

function checkTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw badField("timeZone", `there is no time zone "${timeZone}"`)
}
