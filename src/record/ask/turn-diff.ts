// The difference between two recorded prompts: sections and tools from the plan, and other differences in the request.
// Ignores cache marks: they move with every step and are not text.
import { type Difference, diff } from "../../core/read/diff.ts"
import type { Report } from "../../core/read/report.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { isList, isObject, type Json, type JsonObject, liftMarks } from "../write/request-marks.ts"
import { conversationField } from "../write/request-parts.ts"
import { itemKey, withPlainSystem } from "./normal-form.ts"
import { findReceipt, type Receipt, replayOf, reportOf } from "./replay.ts"

/** The turn and step of a model call. */
export interface StepName {
  readonly turn: string
  readonly step: number
}

/** What differs between the requests of two steps. */
export interface TurnDifference {
  readonly before: StepName
  readonly after: StepName
  /** Undefined if a plan can no longer be read. */
  readonly plan: Difference | undefined
  /** The byte offset at which the texts of the two prompts diverge. */
  readonly byte: number | undefined
  /** Fields of the request that differ, without the conversation. */
  readonly fields: readonly string[]
  /** Items of the conversation: how many both start with, and how many each has. */
  readonly conversation: { readonly shared: number; readonly before: number; readonly after: number }
}

/**
 * Compares the requests of two steps. A step is named `turn` or `turn.step`; without a step, the last one. Returns
 * undefined if one is not recorded.
 */
export async function turnDiff(
  store: RecordStore,
  before: string,
  after: string,
): Promise<TurnDifference | undefined> {
  const was = await namedReceipt(store, before)
  const is = await namedReceipt(store, after)
  if (was === undefined || is === undefined) return undefined
  const wasReport = (await reportOf(store, was))?.report
  const isReport = (await reportOf(store, is))?.report
  return {
    before: { turn: was.turn, step: was.step },
    after: { turn: is.turn, step: is.step },
    plan: wasReport && isReport && diff(wasReport, isReport),
    byte: wasReport && isReport && firstByte(promptText(wasReport), promptText(isReport)),
    fields: changedFields(await receiptFields(store, was), await receiptFields(store, is)),
    conversation: await sharedItems(store, was, is),
  }
}

/** A turn's id may itself end in a number, so an exact match comes first. */
export async function namedReceipt(store: RecordStore, name: string): Promise<Receipt | undefined> {
  const exact = await findReceipt(store, name)
  const [, turn, step] = /^(.+)\.(\d+)$/s.exec(name) ?? []
  if (exact !== undefined || turn === undefined) return exact
  return findReceipt(store, turn, Number(step))
}

export async function sharedItems(
  store: RecordStore,
  before: Receipt,
  after: Receipt,
): Promise<TurnDifference["conversation"]> {
  const was = await store.receipts.elements(before.node)
  const is = await store.receipts.elements(after.node)
  const first = was.findIndex((ref, at) => ref !== is[at])
  const shared = first === -1 ? was.length : await sharedFrom(store, before, after, first)
  return { shared, before: was.length, after: is.length }
}

/** Clients write the same message as a text at one call and as a list at the next. */
async function sharedFrom(
  store: RecordStore,
  before: Receipt,
  after: Receipt,
  first: number,
): Promise<number> {
  const [was, is] = [itemsOf(await unmarked(store, before)), itemsOf(await unmarked(store, after))]
  const same = was.slice(first).findIndex((item, at) => itemKey(item) !== keyAt(is, first + at))
  return same === -1 ? was.length : first + same
}

function keyAt(items: readonly Json[], at: number): string | undefined {
  const item = items[at]
  return item === undefined ? undefined : itemKey(item)
}

function itemsOf(request: JsonObject): readonly Json[] {
  const list = conversationField(request)
  const items = list === undefined ? undefined : request[list]
  return isList(items) ? items : []
}

/** The request without its cache marks, and with its system text in one form. */
export async function unmarked(store: RecordStore, receipt: Receipt): Promise<JsonObject> {
  const { value } = liftMarks((await replayOf(store, receipt)).request)
  return isObject(value) ? withPlainSystem(value) : {}
}

/** The fields of the request, without its conversation. */
async function receiptFields(store: RecordStore, receipt: Receipt): Promise<JsonObject> {
  const request = await unmarked(store, receipt)
  const list = conversationField(request)
  return Object.fromEntries(Object.entries(request).filter(([name]) => name !== list))
}

export function changedFields(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isSameJson(before[name], after[name]))
}

function isSameJson(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function promptText({ blocks }: Report): string {
  return blocks.map(({ text }) => text).join("")
}

function firstByte(before: string, after: string): number | undefined {
  if (before === after) return undefined
  const [was, is] = [Buffer.from(before), Buffer.from(after)]
  const at = was.findIndex((byte, index) => byte !== is[index])
  return at === -1 ? was.length : at
}
