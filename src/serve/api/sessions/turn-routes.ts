// What is recorded about a turn: what happened, the plan of its prompt, and the exact request. And what calls cost.
import { z } from "zod"
import { isTimeZone } from "../../../base/clock-face.ts"
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { atLeast, isTrust, TRUSTS } from "../../../base/trust.ts"
import type { Report, ReportSection } from "../../../core/read/report.ts"
import type { Database } from "../../../database/sqlite/database.ts"
import { costs } from "../../../record/ask/cost.ts"
import { type Receipt, receiptsOf, replayOf, reportOf } from "../../../record/ask/replay.ts"
import { parseSince } from "../../../record/ask/since.ts"
import { type Trace, traceLines, traceOf } from "../../../record/ask/trace.ts"
import type { Sight } from "../../../record/ask/visibility.ts"
import type { Caller } from "../../auth/caller.ts"
import { reportSchema } from "../compile/report-schema.ts"
import { notFound } from "../not-found.ts"
import { isOperator } from "../operator.ts"
import { badField } from "../read-input.ts"
import { type Route, route } from "../route.ts"
import { findSession } from "./own-sessions.ts"

const stepSchema = z.strictObject({
  step: z.int(),
  at: z.iso.datetime(),
  model: z.string(),
  trust: z.enum(TRUSTS),
})

const turnRoute = route({
  ...{ method: "GET", path: "/api/turns/{turn}", scopes: ["read"] },
  summary: "Read what a turn was made of: its plan and its exact request",
  description:
    "`turn` is the id in an answer, or in the header `x-incipit-turn`. Shows what the session's audience may see; an operator also sees what was withheld from it.",
  query: z.strictObject({
    step: z.coerce.number().int().min(0).optional().describe("Default: the last step."),
  }),
  answer: z.strictObject({
    turn: z.string(),
    session: z.string(),
    agent: z.string(),
    trace: z.array(z.string()).describe("What happened, one line each, indented by what it belongs to."),
    steps: z.array(stepSchema).describe("The calls of the model. Empty if none was needed."),
    step: z.int().nullable().describe("The step that the following is about."),
    report: reportSchema.nullable().describe("The prompt in the JSON of `incipit build --json`."),
    request: z.unknown().describe("What was sent to the provider; null without a step."),
    exact: z.boolean().describe("Whether `request` equals what was sent, byte for byte."),
    redacted: z.array(z.string()).describe("JSON pointers to values stored without a secret."),
  }),
  async handle({ params: { turn = "" }, query: { step } }, call) {
    const { record } = call.agents.main
    await record.flushIfFree()
    const session = record.read((database) => sessionIn(database, turn))
    if (session === undefined) throw notFound()
    const { name } = await findSession(session, call)
    const sight = sightOf(call.caller, session)
    const found = record.read((database) => recordedTurn(database, { turn, step, sight }))
    if (found === undefined) throw notFound()
    return { turn, session, agent: name, ...found }
  },
})

function sessionIn(database: Database, turn: string): string | undefined {
  const [receipt] = receiptsOf(database, turn)
  return receipt?.session ?? eventsOf(traceOf(database, turn)).find((event) => event.turn === turn)?.session
}

function eventsOf(trace: Trace | undefined) {
  const found = [...(trace?.nodes ?? [])]
  // Grows while it is walked; not recursive, since a trace may be deep.
  for (const { children } of found) found.push(...children)
  return found.map(({ event }) => event)
}

/** Undefined for an operator, who sees everything. The record calls the owner by that name. */
function sightOf(caller: Caller, session: string): Sight | undefined {
  return isOperator(caller) ? undefined : { session, user: caller.user ?? "owner", trust: caller.trust }
}

interface Wanted {
  readonly turn: string
  readonly step: number | undefined
  readonly sight: Sight | undefined
}

function recordedTurn(database: Database, { turn, step, sight }: Wanted) {
  const trace = traceOf(database, turn, sight)
  const receipts = receiptsOf(database, turn).filter(
    ({ trust }) => sight === undefined || atLeast(sight.trust, trust),
  )
  if (trace === undefined && receipts.length === 0) return undefined
  const wanted = step === undefined ? receipts.at(-1) : receipts.find((receipt) => receipt.step === step)
  if (step !== undefined && wanted === undefined) throw badField("step", `the turn has no step ${step}`)
  return {
    trace: trace === undefined ? [] : traceLines(trace),
    steps: receipts.map(({ step: number, at, model, trust }) => ({
      ...{ step: number, at: new Date(at).toISOString(), model, trust },
    })),
    ...stepOf(database, wanted, sight),
  }
}

function stepOf(database: Database, receipt: Receipt | undefined, sight: Sight | undefined) {
  if (receipt === undefined) return { step: null, report: null, request: null, exact: false, redacted: [] }
  const { request, exact, redacted } = replayOf(database, receipt)
  const report = reportOf(database, receipt)?.report
  const shown = report === undefined ? null : sight === undefined ? report : visibleReport(report)
  return { step: receipt.step, report: shown, request, exact, redacted }
}

/** As `visible` does for a plan. The record doesn't know whom a diagnostic is for, so it is the operator's. */
function visibleReport(report: Report): Report {
  const has = isTrust(report.trust) ? report.trust : "public"
  const isSeen = ({ trust, outcome, spans }: ReportSection) =>
    atLeast(has, isTrust(trust) ? trust : "full") &&
    outcome.kind !== "withheld" &&
    !(outcome.kind === "unused" && spans.length === 0)
  const tools = report.tools.filter(({ outcome }) => outcome.kind !== "withheld" && outcome.kind !== "unused")
  return { ...report, sections: report.sections.filter(isSeen), tools, withheld: [], diagnostics: [] }
}

const sums = {
  calls: z.int().nullable(),
  unpriced: z.int(),
  uncached: z.number(),
  read: z.number(),
  write: z.number(),
  output: z.number(),
  costUsd: z.number().nullable(),
}

const costRoute = route({
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
  }),
  async handle({ query: { by, timeZone, session, ...range } }, call) {
    checkTimeZone(timeZone)
    const [since, until] = (["since", "until"] as const).map((name) => momentOf(name, range[name], timeZone))
    const sight = await costSight(session, by, call)
    const { record } = call.agents.main
    await record.flushIfFree()
    return record.read((database) => costs(database, { by, timeZone, since, until, sight }))
  },
})

async function costSight(
  session: string | undefined,
  by: (typeof COST_KEYS)[number],
  call: Parameters<typeof findSession>[1],
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

function momentOf(name: string, text: string | undefined, timeZone: string): number | undefined {
  if (text === undefined) return undefined
  const moment = parseSince(text, Date.now(), timeZone)
  if (moment === undefined)
    throw badField(name, `must be a time such as 1h, today or 2026-11-15, not "${text}"`)
  return moment
}

function checkTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) throw badField("timeZone", `there is no time zone "${timeZone}"`)
}

export const TURN_ROUTES: readonly Route[] = [turnRoute, costRoute]
