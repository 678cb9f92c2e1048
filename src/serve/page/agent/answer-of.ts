// What the model answered to a recorded call. The record has requests: the answer is in the next request of the turn, and
// that of its last step is what the person got.
import { describeUnit } from "../../../capture/split/describe-unit.ts"
import { type Receipt, receiptOf, replayOf, type Texts } from "../../../record/ask/replay.ts"
import { isList, isObject, type Json } from "../../../record/write/request-marks.ts"
import { conversationField } from "../../../record/write/request-parts.ts"
import { requestUnits } from "../../../record/write/request-units.ts"
import { isAside } from "../../api/sessions/aside.ts"
import type { Recorded } from "./recorded.ts"

/** Its words; empty if it only called tools. Undefined if it is not known. */
export async function answerOf(
  { store, outbox }: Pick<Recorded, "store" | "outbox">,
  receipt: Receipt,
  texts: Texts,
): Promise<string | undefined> {
  if (isAside(receipt)) return undefined
  const { turn, step, node } = receipt
  const next = await store.receipts.find(turn, step + 1)
  if (next === undefined) return lastAnswer(outbox, turn)
  const { request } = await replayOf(store, receiptOf(next), texts)
  const list = conversationField(request)
  const items = isObject(request) && list !== undefined ? request[list] : undefined
  if (list === undefined || !isList(items)) return undefined
  const before = (await store.receipts.elements(node)).length
  return wordsIn(list, items.slice(before))
}

async function lastAnswer(outbox: Recorded["outbox"], turn: string): Promise<string | undefined> {
  const reply = await outbox.reply(turn)
  const isAnswer =
    reply !== undefined && ["answered", "silent", "waiting"].includes(reply.state) && reply.steps > 0
  return isAnswer ? reply.text : undefined
}

/** Of the items at the beginning that are the model's. */
function wordsIn(list: string, items: readonly Json[]): string | undefined {
  const end = items.findIndex((item) => !isAnswer(item))
  const own = end === -1 ? items : items.slice(0, end)
  if (own.length === 0) return undefined
  const units = requestUnits({ [list]: own }).groups.flat()
  const words = units.map((unit) => describeUnit(unit)).filter(({ kind }) => kind === "text")
  return words.map(({ text }) => text).join("\n\n")
}

function isAnswer(item: Json): boolean {
  if (!isObject(item)) return false
  const { role, type } = item
  return role === "assistant" || role === "model" || type === "function_call" || type === "reasoning"
}
