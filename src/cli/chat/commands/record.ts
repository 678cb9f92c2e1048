// Chat commands that query the record: what it cost, what happened, why the cache missed, what differs.
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { IncipitError } from "../../../base/error.ts"
import { explain } from "../../../core/read/explain.ts"
import { type Report, report } from "../../../core/read/report.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { type CostReport, type CostSums, costs } from "../../../record/ask/cost.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { reportOf } from "../../../record/ask/replay.ts"
import { traceOf } from "../../../record/ask/trace.ts"
import { namedReceipt, turnDiff } from "../../../record/ask/turn-diff.ts"
import { whyMiss } from "../../../record/ask/why-miss.ts"
import { writePremium } from "../../../render/cache/write-premium.ts"
import { differenceView, requestLines } from "../../commands/prompt/diff.ts"
import { explanationView } from "../../commands/prompt/explain.ts"
import { costView, limitLines } from "../../commands/record/cost.ts"
import { namedLines } from "../../commands/record/trace.ts"
import { painter } from "../../views/colour.ts"
import { wrap } from "../../views/widths.ts"
import type { ChatContext } from "../chat-context.ts"

export async function cost(
  chat: ChatContext,
  [word]: readonly string[],
): Promise<readonly string[] | undefined> {
  const by = COST_KEYS.find((key) => key === (word ?? "turn"))
  if (by === undefined) return undefined
  const { whole, turns } = await readRecord(chat, async (store) => ({
    whole: await costs(store, { by, timeZone: chat.view.timeZone }),
    turns: await turnsOf(store, chat),
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
  return [
    ...costView({ ...whole, rows, total, turns, unmeasured: 0 }, chat.view),
    ...premiumLines(total, chat),
  ]
}

/** What is free needs no explanation. */
function premiumLines(
  { costUsd, uncached, read, write, output }: CostSums,
  { agent: { model }, view }: ChatContext,
): readonly string[] {
  const ttl = model.rule.ttls[0]?.name
  if (costUsd === null || costUsd === 0 || ttl === undefined) return []
  const premium = writePremium({ uncached, read, write: { [ttl]: write }, output }, model.rule)
  return premium === undefined ? [] : wrap(premium, view.columns).map((line) => painter(view)("dim", line))
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
  const { id, trace: found } = await readRecord(chat, async (store) => {
    const name = await (word === undefined ? lastTurn(store, chat) : turnNamed(store, chat, word))
    const turn = (await namedReceipt(store, name))?.turn ?? name
    return { id: name, trace: (await traceOf(store, name)) ?? (await traceOf(store, turn)) }
  })
  if (found === undefined) throw noTurn(id)
  return namedLines(found)
}

/** For a turn, why the cache missed; for anything else, why it is or isn't in the prompt. */
export async function why(chat: ChatContext, words: readonly string[]): Promise<readonly string[]> {
  const what = words.join(" ")
  if (what === "") return readRecord(chat, (store) => lastMiss(store, chat))
  const miss = await readRecord(chat, async (store) => {
    const name = await turnNamed(store, chat, what)
    const receipt = await namedReceipt(store, name)
    return receipt && whyMiss(store, receipt.turn, name === receipt.turn ? undefined : receipt.step)
  })
  if (miss !== undefined) return [escapeHidden(miss.sentence)]
  const { prompt } = chat.talk
  if (prompt === undefined) return ["no prompt yet"]
  const whole = report(prompt)
  const found = explain(whole, what, []).flatMap((item) => explanationView(item, whole, painter(chat.view)))
  return found.length > 0 ? found : [`nothing in the prompt is named or contains "${escapeHidden(what)}"`]
}

async function lastMiss(store: RecordStore, chat: ChatContext): Promise<readonly string[]> {
  const last = await store.events.latest(chat.talk.session ?? "", "cache_missed")
  const turn = last === undefined ? await lastTurn(store, chat) : String(last.turn_id)
  const found = await whyMiss(store, turn, last === undefined ? undefined : Number(last.step))
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
  return readRecord(chat, async (store) => {
    const named = await Promise.all(words.map((word) => turnNamed(store, chat, word)))
    const [before, after] = named.length === 2 ? named : (await turnsOf(store, chat)).slice(-2)
    if (before === undefined || after === undefined) return ["this session does not have two turns yet"]
    const found = await turnDiff(store, before, after)
    const [was, is] = await Promise.all([before, after].map((name) => reportNamed(store, name)))
    if (found?.plan === undefined || was === undefined || is === undefined)
      throw noTurn(was === undefined ? before : after)
    return [...differenceView(found.plan, was, is, painter(chat.view)), ...requestLines(found)]
  })
}

async function reportNamed(store: RecordStore, name: string): Promise<Report | undefined> {
  const receipt = await namedReceipt(store, name)
  return receipt && (await reportOf(store, receipt))?.report
}

/** The session's turns that called a model, oldest first. */
function turnsOf(store: RecordStore, { talk }: ChatContext): Promise<readonly string[]> {
  return store.receipts.turns(talk.session ?? "")
}

/** The shortest start of a name in a narrow window. */
const MIN_START = 8

/** The start of a name is enough if only one turn of the session has it. */
async function turnNamed(store: RecordStore, chat: ChatContext, word: string): Promise<string> {
  const start = word.replace(/…$/, "")
  const turns = start.length < MIN_START ? [] : await turnsOf(store, chat)
  const found = turns.filter((id) => id.startsWith(start))
  return (found.length === 1 ? found[0] : undefined) ?? word
}

async function lastTurn(store: RecordStore, { talk }: ChatContext): Promise<string> {
  const last = await store.events.latestTurn({ session: talk.session ?? "" })
  if (last === undefined) throw new IncipitError("bad-argument", "this session has no turns yet")
  return last
}

function noTurn(name: string): IncipitError {
  return new IncipitError("bad-argument", `nothing is recorded for "${name}"; /cost lists the turns`)
}

async function readRecord<T>({ agent }: ChatContext, ask: (store: RecordStore) => Promise<T>): Promise<T> {
  await agent.record.flush()
  return agent.record.read(ask)
}
