// What is recorded about a turn: what happened, the plan of its prompt, and the exact request.
import { z } from "zod"
import { TRUSTS } from "../../../base/trust.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { type Receipt, receiptsOf, replayOf, reportOf } from "../../../record/ask/replay.ts"
import { type Trace, traceLines, traceOf } from "../../../record/ask/trace.ts"
import { reportSchema } from "../compile/report-schema.ts"
import { notFound } from "../not-found.ts"
import { badField } from "../read-input.ts"
import { type Route, route } from "../route.ts"
import { COST_ROUTE } from "./cost-route.ts"
import { findSession } from "./own-sessions.ts"
import { isSeen, type Seen, seenBy } from "./seen.ts"
import { shownEvent } from "./shown-event.ts"
import { shownPlaces, shownRequest } from "./shown-request.ts"
import { visibleReport } from "./visible-report.ts"

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
    "`turn` is the id in an answer, or in the header `x-incipit-turn`. Shows what the session's audience may see; an operator also sees what was withheld from it. Below full trust, inputs and results of tools, what the model thought, and costs are left out.",
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
    request: z
      .unknown()
      .describe("What was sent to the provider, as far as the caller may see it; null without a step."),
    exact: z.boolean().describe("Whether `request` equals what was sent, byte for byte."),
    redacted: z.array(z.string()).describe("JSON pointers to values stored without a secret."),
  }),
  async handle({ params: { turn = "" }, query: { step } }, call) {
    const { record } = call.agents.main
    await record.flushIfFree()
    const session = await record.read((store) => sessionIn(store, turn))
    if (session === undefined) throw notFound()
    const { name } = await findSession(session, call)
    const seen = seenBy(call.caller, session)
    const found = await record.read((store) => recordedTurn(store, { turn, step, seen }))
    if (found === undefined) throw notFound()
    return { turn, session, agent: name, ...found }
  },
})

async function sessionIn(store: RecordStore, turn: string): Promise<string | undefined> {
  const [receipt] = await receiptsOf(store, turn)
  if (receipt !== undefined) return receipt.session
  return eventsOf(await traceOf(store, turn)).find((event) => event.turn === turn)?.session
}

function eventsOf(trace: Trace | undefined) {
  const found = [...(trace?.nodes ?? [])]
  // Grows while it is walked; not recursive, since a trace may be deep.
  for (const { children } of found) found.push(...children)
  return found.map(({ event }) => event)
}

interface Wanted {
  readonly turn: string
  readonly step: number | undefined
  readonly seen: Seen
}

async function recordedTurn(store: RecordStore, { turn, step, seen }: Wanted) {
  const { sight } = seen
  const trace = await traceOf(store, turn, sight)
  const receipts = (await receiptsOf(store, turn)).filter((receipt) => isSeen(receipt, seen))
  if (trace === undefined && receipts.length === 0) return undefined
  const wanted = step === undefined ? receipts.at(-1) : receipts.find((receipt) => receipt.step === step)
  if (step !== undefined && wanted === undefined) throw badField("step", `the turn has no step ${step}`)
  return {
    trace: trace === undefined ? [] : traceLines(trace, shownEvent(sight)),
    steps: receipts.map(({ step: number, at, model, trust }) => ({
      ...{ step: number, at: new Date(at).toISOString(), model, trust },
    })),
    ...(await stepOf(store, wanted, seen)),
  }
}

async function stepOf(store: RecordStore, receipt: Receipt | undefined, { sight, isWhole }: Seen) {
  if (receipt === undefined) return { step: null, report: null, request: null, exact: false, redacted: [] }
  const { request, exact, redacted } = await replayOf(store, receipt)
  const report = (await reportOf(store, receipt))?.report
  const shown = report === undefined ? null : sight === undefined ? report : visibleReport(report)
  const facts = { step: receipt.step, report: shown }
  if (isWhole) return { ...facts, request, exact, redacted }
  const said = shownRequest(request)
  return {
    ...{ ...facts, request: said, redacted: shownPlaces(redacted, said) },
    exact: exact && JSON.stringify(said) === JSON.stringify(request),
  }
}

export const TURN_ROUTES: readonly Route[] = [turnRoute, COST_ROUTE]
