// Restores a step: the request exactly as it was sent, and the plan behind it. Checks every text against its digest.
// Damaged or redacted texts are reported by place and never made up.

import { isRecord } from "../../base/is-record.ts"
import { isTrust, type Trust } from "../../base/trust.ts"
import type { Report } from "../../core/read/report.ts"
import type { ReceiptRow } from "../../database/contract/record/receipts.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { type Ref, refOf, refsIn } from "../../database/text-ref.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import { putTogether, putValue } from "../write/put-together.ts"
import type { StoredPlan } from "../write/receipt-cache.ts"
import type { Json } from "../write/request-marks.ts"
import { planFrom } from "./stored-plan.ts"

export interface Receipt extends ReceiptRow {
  readonly trust: Trust
}

/** A text that does not match its digest, and its place. */
export interface Damage {
  readonly pointer: string
  readonly digest: string
}

/** A request as it was sent, put together from the record. */
export interface Replay extends Omit<Receipt, "frame" | "node" | "marks" | "plan" | "id"> {
  /** Equal to the body that was sent, key by key, if `exact`. Damaged texts are `null`. */
  readonly request: Json
  readonly exact: boolean
  /** JSON pointers to values stored without a secret. */
  readonly redacted: readonly string[]
  /** JSON pointers to numbers, in a body sent as text, that a JavaScript number cannot hold. */
  readonly rounded: readonly string[]
  readonly damaged: readonly Damage[]
}

export interface StoredReport {
  readonly report: Report
  readonly plan: StoredPlan
  readonly damaged: readonly Damage[]
}

/**
 * Puts a request together again, byte for byte, from its receipt. Without a step, the last one of the turn. Returns
 * undefined if there is no receipt.
 */
export async function replay(store: RecordStore, turn: string, step?: number): Promise<Replay | undefined> {
  const receipt = await findReceipt(store, turn, step)
  return receipt && replayOf(store, receipt)
}

/** Callers that restore many steps pass the shared texts. */
export async function replayOf(
  store: RecordStore,
  receipt: Receipt,
  texts: Texts = textsOf(store),
): Promise<Replay> {
  const { id, frame, node, marks, plan, ...facts } = receipt
  const items = await store.receipts.elements(node)
  await texts.load([frame, marks, ...items])
  const marksText = texts.text(marks)
  const { value, redacted, rounded, damaged } = putTogether(
    {
      frame: texts.text(frame) ?? missing(frame),
      elements: items.map((ref) => texts.text(ref) ?? missing(ref)),
      marks: marksText ?? "[]",
    },
    texts,
  )
  const lost: readonly Damage[] = [
    ...damaged.map(({ pointer, ref }) => ({ pointer, digest: digestOf(ref) })),
    ...(marksText === undefined ? [{ pointer: "", digest: digestOf(marks) }] : []),
  ]
  const exact = [redacted, rounded, lost].every(({ length }) => length === 0)
  return { ...facts, request: value, exact, redacted, rounded, damaged: lost }
}

/** The report of a stored prompt. Returns undefined if the structure of the plan is damaged. */
export async function reportOf(
  store: RecordStore,
  { plan }: Pick<Receipt, "plan">,
  texts: Texts = textsOf(store),
): Promise<StoredReport | undefined> {
  await texts.load([plan])
  const text = texts.text(plan)
  if (text === undefined) return undefined
  const { value, damaged } = putValue(text, texts)
  const stored = planFrom(value)
  if (stored === undefined) return undefined
  return {
    plan: stored,
    report: reportOfPlan(stored),
    damaged: damaged.map(({ pointer, ref }) => ({ pointer, digest: digestOf(ref) })),
  }
}

/** The cache rule that a call was planned with. Reads no more of the plan than that. */
export async function ruleOf(
  store: RecordStore,
  { plan, model }: Pick<Receipt, "plan" | "model">,
  texts: Texts = textsOf(store),
): Promise<CacheRule> {
  const text = (await store.receipts.texts([plan])).get(plan)
  const stored: unknown = text === undefined || refOf(text) !== plan ? undefined : JSON.parse(text)
  const rule = isRecord(stored) && stored.rule !== undefined ? JSON.stringify(stored.rule) : undefined
  if (rule === undefined) return ruleFor(model)
  const { parts, texts: named } = refsIn(rule)
  await texts.load([...parts, ...named])
  const { value, damaged } = putValue(rule, texts)
  // Only `saveReceipt` writes plans, and with a whole rule.
  return damaged.length > 0 ? ruleFor(model) : (value as unknown as CacheRule)
}

export function reportOfPlan({ budget, report: { runs, blocks, ...rest } }: StoredPlan): Report {
  // The text of a block may be damaged.
  const whole = blocks.map((block) => ({ ...block, text: block.text ?? "" }))
  return { ...rest, budget, sections: runs.flat(), blocks: whole }
}

/** Without a step, the last one of the turn. */
export async function findReceipt(
  store: RecordStore,
  turn: string,
  step?: number,
): Promise<Receipt | undefined> {
  const row = await store.receipts.find(turn, step)
  return row && receiptOf(row)
}

/** The receipts of a turn, one for each step. */
export async function receiptsOf(store: RecordStore, turn: string): Promise<readonly Receipt[]> {
  return (await store.receipts.ofTurn(turn)).map(receiptOf)
}

export function receiptOf(row: ReceiptRow): Receipt {
  const { trust } = row
  // An unreadable trust fails closed.
  return { ...row, trust: isTrust(trust) ? trust : "full" }
}

export interface Texts {
  /** Reads these texts and all that they name, each once. */
  readonly load: (refs: readonly Ref[]) => Promise<void>
  /** Returns undefined if the text is missing or does not match its digest. */
  readonly text: (ref: Ref) => string | undefined
  readonly values: Map<Ref, Json>
}

export function textsOf(store: RecordStore): Texts {
  const known = new Map<Ref, string | undefined>()
  return {
    text: (ref) => known.get(ref),
    values: new Map(),
    async load(refs) {
      // Level by level: each names the next.
      for (let next = unknown(refs, known); next.length > 0; ) {
        const found = await store.receipts.texts(next)
        const named: Ref[] = []
        for (const ref of next) {
          const text = found.get(ref)
          const checked = text !== undefined && refOf(text) === ref ? text : undefined
          known.set(ref, checked)
          const { parts, texts } = refsIn(checked ?? "")
          named.push(...parts, ...texts)
        }
        next = unknown(named, known)
      }
    },
  }
}

function unknown(refs: readonly Ref[], known: ReadonlyMap<Ref, unknown>): readonly Ref[] {
  return [...new Set(refs)].filter((ref) => !known.has(ref))
}

/** A part that names a missing text, so that its place is reported. */
function missing(ref: Ref): string {
  return JSON.stringify({ $json: ref })
}

function digestOf(ref: Ref): string {
  return `sha256:${Buffer.from(ref, "base64url").toString("hex")}`
}
