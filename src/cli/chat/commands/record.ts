// Chat commands that query the record: what it cost, what happened, why the cache missed, what differs.
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { IncipitError } from "../../../base/error.ts"
import { explain } from "../../../core/read/explain.ts"
import { report } from "../../../core/read/report.ts"
import type { Database } from "../../../database/sqlite/database.ts"
import { type CostReport, type CostSums, costs } from "../../../record/ask/cost.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { reportOf } from "../../../record/ask/replay.ts"
import { traceOf } from "../../../record/ask/trace.ts"
import { namedReceipt, turnDiff } from "../../../record/ask/turn-diff.ts"
import { whyMiss } from "../../../record/ask/why-miss.ts"
import { differenceView, requestLines } from "../../commands/prompt/diff.ts"
import { explanationView } from "../../commands/prompt/explain.ts"
import { costView, limitLines } from "../../commands/record/cost.ts"
import { namedLines } from "../../commands/record/trace.ts"
import { painter } from "../../views/colour.ts"
import type { ChatContext } from "../chat-context.ts"

export async function cost(
  chat: ChatContext,
  [word]: readonly string[],
): Promise<readonly string[] | undefined> {
  const by = COST_KEYS.find((key) => key === (word ?? "turn"))
  if (by === undefined) return undefined
  const { whole, turns } = await readRecord(chat, (database) => ({
    whole: costs(database, { by, timeZone: chat.view.timeZone }),
    turns: turnsOf(database, chat),
  }))
  const limits = await chat.agent.spending(chat.talk.from)
  const lines = word === undefined ? sessionCosts(whole, turns, chat) : costView(whole, chat.view)
  return [...lines, ...limitLines(limits, chat.view)]
}

/** In the order of the conversation. */
function sessionCosts(whole: CostReport, own: readonly string[], chat: ChatContext): readonly string[] {
  const rows = own.flatMap((turn) => whole.rows.filter(({ key }) => key === turn))
  if (rows.length === 0) return ["no costs in this session yet; /cost day shows the cost of all sessions"]
  const total = rows.reduce(added, NOTHING)
  const averageUsd = total.costUsd === null ? null : total.costUsd / rows.length
  const turns = { count: rows.length, averageUsd, unpriced: total.unpriced }
  return costView({ ...whole, rows, total, turns, unmeasured: 0 }, chat.view)
}

const NOTHING: CostSums = { calls: 0, unpriced: 0, uncached: 0, read: 0, write: 0, output: 0, costUsd: null }

function added(sum: CostSums, row: CostSums): CostSums {
  return {
    calls: (sum.calls ?? 0) + (row.calls ?? 0),
    unpriced: sum.unpriced + row.unpriced,
    uncached: sum.uncached + row.uncached,
    read: sum.read + row.read,
    write: sum.write + row.write,
    output: sum.output + row.output,
    costUsd: row.costUsd === null ? sum.costUsd : (sum.costUsd ?? 0) + row.costUsd,
  }
}

export async function trace(chat: ChatContext, [word]: readonly string[]): Promise<readonly string[]> {
  const { id, found } = await readRecord(chat, (database) => {
    const name = word === undefined ? lastTurn(database, chat) : turnNamed(database, chat, word)
    const turn = namedReceipt(database, name)?.turn ?? name
    return { id: name, found: traceOf(database, name) ?? traceOf(database, turn) }
  })
  if (found === undefined) throw noTurn(id)
  return namedLines(found)
}

/** For a turn, why the cache missed; for anything else, why it is or isn't in the prompt. */
export async function why(chat: ChatContext, words: readonly string[]): Promise<readonly string[]> {
  const what = words.join(" ")
  if (what === "") return readRecord(chat, (database) => lastMiss(database, chat))
  const miss = await readRecord(chat, (database) => {
    const name = turnNamed(database, chat, what)
    const receipt = namedReceipt(database, name)
    return receipt && whyMiss(database, receipt.turn, name === receipt.turn ? undefined : receipt.step)
  })
  if (miss !== undefined) return [escapeHidden(miss.sentence)]
  const { prompt } = chat.talk
  if (prompt === undefined) return ["no prompt yet"]
  const whole = report(prompt)
  const found = explain(whole, what, []).flatMap((item) => explanationView(item, whole, painter(chat.view)))
  return found.length > 0 ? found : [`nothing in the prompt is named or contains "${escapeHidden(what)}"`]
}

function lastMiss(database: Database, chat: ChatContext): readonly string[] {
  const last = database.get(
    "SELECT turn_id, step FROM events WHERE session_id = ? AND event_type = 'cache_missed' ORDER BY id DESC LIMIT 1",
    chat.talk.session ?? "",
  )
  const turn = last === undefined ? lastTurn(database, chat) : String(last.turn_id)
  const found = whyMiss(database, turn, last === undefined ? undefined : Number(last.step))
  if (found === undefined) throw noTurn(turn)
  const isMiss = last !== undefined || (found.lostTokens ?? 0) > 0
  return [
    ...(isMiss ? [] : ["no call in this session missed the cache; the last one:"]),
    escapeHidden(found.sentence),
  ]
}

export async function diff(
  chat: ChatContext,
  words: readonly string[],
): Promise<readonly string[] | undefined> {
  if (words.length !== 0 && words.length !== 2) return undefined
  return readRecord(chat, (database) => {
    const named = words.map((word) => turnNamed(database, chat, word))
    const [before, after] = named.length === 2 ? named : turnsOf(database, chat).slice(-2)
    if (before === undefined || after === undefined) return ["this session does not have two turns yet"]
    const found = turnDiff(database, before, after)
    const reports = [before, after].map((name) => {
      const receipt = namedReceipt(database, name)
      return receipt && reportOf(database, receipt)?.report
    })
    const [was, is] = reports
    if (found?.plan === undefined || was === undefined || is === undefined)
      throw noTurn(was === undefined ? before : after)
    return [...differenceView(found.plan, was, is, painter(chat.view)), ...requestLines(found)]
  })
}

/** The session's turns that called a model, oldest first. */
function turnsOf(database: Database, { talk }: ChatContext): readonly string[] {
  return database
    .all(
      "SELECT turn_id FROM receipts WHERE session_id = ? GROUP BY turn_id ORDER BY min(id)",
      talk.session ?? "",
    )
    .map(({ turn_id: turn }) => String(turn))
}

/** The shortest start of a name in a narrow window. */
const MIN_START = 8

/** The start of a name is enough if only one turn of the session has it. */
function turnNamed(database: Database, chat: ChatContext, word: string): string {
  const start = word.replace(/…$/, "")
  const found = start.length < MIN_START ? [] : turnsOf(database, chat).filter((id) => id.startsWith(start))
  return (found.length === 1 ? found[0] : undefined) ?? word
}

function lastTurn(database: Database, { talk }: ChatContext): string {
  const last = database.get(
    "SELECT turn_id FROM events WHERE session_id = ? AND turn_id IS NOT NULL ORDER BY id DESC LIMIT 1",
    talk.session ?? "",
  )
  if (last === undefined) throw new IncipitError("bad-argument", "this session has no turns yet")
  return String(last.turn_id)
}

function noTurn(name: string): IncipitError {
  return new IncipitError("bad-argument", `nothing is recorded for "${name}"; /cost lists the turns`)
}

async function readRecord<T>({ agent }: ChatContext, ask: (database: Database) => T): Promise<T> {
  await agent.record.flush()
  return agent.record.read(ask)
}
