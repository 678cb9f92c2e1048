// The difference between two recorded prompts: sections and tools from the plan, and other differences in the request.
// Ignores cache marks: they move with every step and are not text.
import { type Difference, diff } from "../../core/read/diff.ts"
import type { Report } from "../../core/read/report.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { isObject, type Json, type JsonObject, liftMarks } from "../write/request-marks.ts"
import { conversationField } from "../write/request-parts.ts"
import { elementsOf, findReceipt, type Receipt, replayOf, reportOf } from "./replay.ts"

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
export function turnDiff(database: Database, before: string, after: string): TurnDifference | undefined {
  const was = namedReceipt(database, before)
  const is = namedReceipt(database, after)
  if (was === undefined || is === undefined) return undefined
  const [wasReport, isReport] = [was, is].map((receipt) => reportOf(database, receipt)?.report)
  const conversation = sharedItems(database, was, is)
  return {
    before: { turn: was.turn, step: was.step },
    after: { turn: is.turn, step: is.step },
    plan: wasReport && isReport && diff(wasReport, isReport),
    byte: wasReport && isReport && firstByte(promptText(wasReport), promptText(isReport)),
    fields: changedFields(receiptFields(database, was), receiptFields(database, is)),
    conversation,
  }
}

/** A turn's id may itself end in a number, so an exact match comes first. */
export function namedReceipt(database: Database, name: string): Receipt | undefined {
  const exact = findReceipt(database, name)
  const [, turn, step] = /^(.+)\.(\d+)$/s.exec(name) ?? []
  if (exact !== undefined || turn === undefined) return exact
  return findReceipt(database, turn, Number(step))
}

export function sharedItems(
  database: Database,
  before: Receipt,
  after: Receipt,
): TurnDifference["conversation"] {
  const was = elementsOf(database, before.node)
  const is = elementsOf(database, after.node)
  const first = was.findIndex((row, at) => row !== is[at])
  return { shared: first === -1 ? was.length : first, before: was.length, after: is.length }
}

/** The request without its cache marks. */
export function unmarked(database: Database, receipt: Receipt): JsonObject {
  const { value } = liftMarks(replayOf(database, receipt).request)
  return isObject(value) ? value : {}
}

/** The fields of the request, without its conversation. */
function receiptFields(database: Database, receipt: Receipt): JsonObject {
  const request = unmarked(database, receipt)
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
