// Commands of a chat that ask the record: what it cost, what happened, why the cache missed, what differs.
import { IncipitError } from "../../core/error.ts"
import { explain } from "../../core/explain.ts"
import { report } from "../../core/report.ts"
import { COST_KEYS, type CostSums, costs } from "../../record/cost.ts"
import { escapeHidden } from "../../record/log.ts"
import { reportOf } from "../../record/replay.ts"
import { traceOf } from "../../record/trace.ts"
import { namedReceipt, turnDiff } from "../../record/turn-diff.ts"
import { whyMiss } from "../../record/why-miss.ts"
import type { Database } from "../../sqlite/database.ts"
import { costView } from "../cost.ts"
import { differenceView, requestLines } from "../diff.ts"
import { explanationView } from "../explain.ts"
import { painter, wrap } from "../terminal.ts"
import { namedLines } from "../trace.ts"
import type { Desk } from "./desk.ts"

export async function cost(desk: Desk, [word]: readonly string[]): Promise<readonly string[]> {
  const by = COST_KEYS.find((key) => key === (word ?? "turn"))
  if (by === undefined) return [`/cost takes one of ${COST_KEYS.join(", ")}`]
  const whole = await asked(desk, (database) => costs(database, { by, timeZone: desk.view.timeZone }))
  if (by !== "turn") return costView(whole, desk.view)
  const rows = whole.rows.filter(({ key }) => desk.talk.turns.includes(key))
  if (rows.length === 0) return ["no turn of this chat has a cost yet; /cost day has earlier ones"]
  const total = rows.reduce(added, NOTHING)
  const averageUsd = total.costUsd === null ? null : total.costUsd / rows.length
  const turns = { count: rows.length, averageUsd, unpriced: total.unpriced }
  return costView({ ...whole, rows, total, turns, unmeasured: 0 }, desk.view)
}

const NOTHING: CostSums = { calls: 0, unpriced: 0, fresh: 0, read: 0, write: 0, output: 0, costUsd: null }

function added(sum: CostSums, row: CostSums): CostSums {
  return {
    calls: (sum.calls ?? 0) + (row.calls ?? 0),
    unpriced: sum.unpriced + row.unpriced,
    fresh: sum.fresh + row.fresh,
    read: sum.read + row.read,
    write: sum.write + row.write,
    output: sum.output + row.output,
    costUsd: row.costUsd === null ? sum.costUsd : (sum.costUsd ?? 0) + row.costUsd,
  }
}

export async function trace(desk: Desk, [word]: readonly string[]): Promise<readonly string[]> {
  const id = word ?? lastTurn(desk)
  const found = await asked(
    desk,
    (database) => traceOf(database, id) ?? traceOf(database, namedReceipt(database, id)?.turn ?? id),
  )
  if (found === undefined) throw new IncipitError("not-recorded", `there is no turn or trace "${id}"`)
  return namedLines(found)
}

/** Of a turn, why the cache missed; of anything else, why it is in the prompt or not. */
export async function why(desk: Desk, words: readonly string[]): Promise<readonly string[]> {
  const what = words.join(" ")
  const id = what === "" ? lastTurn(desk) : what
  const miss = await asked(desk, (database) => {
    const receipt = namedReceipt(database, id)
    if (receipt === undefined) return undefined
    return whyMiss(database, receipt.turn, what === "" || id === receipt.turn ? undefined : receipt.step)
  })
  if (miss !== undefined) return wrap(escapeHidden(miss.sentence), desk.view.columns)
  const { prompt } = desk.talk
  if (what === "" || prompt === undefined) return [`no call of ${id} is recorded`]
  const whole = report(prompt)
  const found = explain(whole, what, []).flatMap((item) => explanationView(item, whole, painter(desk.view)))
  return found.length > 0 ? found : [`nothing in the prompt is called or says "${escapeHidden(what)}"`]
}

export async function diff(desk: Desk, words: readonly string[]): Promise<readonly string[]> {
  const [before, after] = words.length >= 2 ? words : desk.talk.turns.slice(-2)
  if (before === undefined || after === undefined)
    return ["/diff compares the last two turns, or two that it is given"]
  return asked(desk, (database) => {
    const found = turnDiff(database, before, after)
    const reports = [before, after].map((name) => {
      const receipt = namedReceipt(database, name)
      return receipt && reportOf(database, receipt)?.report
    })
    const [was, is] = reports
    if (found?.plan === undefined || was === undefined || is === undefined)
      throw new IncipitError("not-recorded", `no request of ${before} or of ${after} is recorded`)
    return [...differenceView(found.plan, was, is, painter(desk.view)), ...requestLines(found)]
  })
}

function lastTurn({ talk }: Desk): string {
  const last = talk.turns.at(-1)
  if (last === undefined) throw new IncipitError("not-recorded", "there was no turn in this chat yet")
  return last
}

async function asked<T>({ agent }: Desk, ask: (database: Database) => T): Promise<T> {
  await agent.record.flush()
  return agent.record.read(ask)
}
