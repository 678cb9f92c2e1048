// Whether the bill names the misses that happened, all of them and no other: in unchanged sessions, and after each change.
import { existsSync, readFileSync } from "node:fs"
import type { Bill, BillMiss, BillMissCause } from "../../../src/capture/bill/bill.ts"
import type { CalledUsage } from "../../../src/capture/call.ts"
import { ttlOf } from "../../../src/render/cache/cache-rule.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import type { Check } from "../check.ts"
import { countTokens } from "../provider/cached-usage.ts"
import { type WireBlock, wireBlocks } from "../provider/wire-blocks.ts"
import type { Session } from "../run-client.ts"
import { type Change, EDITED_LINE, EDITED_TEXT } from "../scenario.ts"
import { type Step, stepsOf } from "../wire-truth.ts"
import { pairWithWire } from "./read-calls.ts"

export interface Billed {
  readonly from: string
  readonly bill: Bill
  /** As the readers gave them, for the ids in the bill. */
  readonly usages: readonly CalledUsage[]
  /** Whether the requests are known as sent, so that every cause must be named. */
  readonly exact: boolean
}

/** Over unchanged turns, no cause is named that is not there. */
export function checkSteady(session: Session, billed: Billed): Check {
  const steps = missesBySteps(session, billed)
  const wrong = steps.flatMap(({ step, miss }) => wrongIn(step, miss, billed) ?? [])
  const real = steps.filter(({ step }) => step.lost > 0).length
  const named = new Set(steps.map(({ miss }) => miss?.call))
  const astray = billed.bill.misses.filter(({ call }) => !named.has(call))
  return {
    name: "steady",
    client: session.client.name,
    from: billed.from,
    what: "20 unchanged turns",
    holds: wrong.length === 0 && astray.length === 0,
    result: [
      `${steps.length + 1} calls, ${real} real misses, ${billed.bill.misses.length} named`,
      ...wrong.slice(0, 3),
      ...astray.slice(0, 3).map((miss) => `not on the wire: ${describe(miss)}`),
    ].join("; "),
  }
}

/** After each change: the right answer. */
export function checkChanges(session: Session, billed: Billed): readonly Check[] {
  const steps = missesBySteps(session, billed)
  const pairs = pairWithWire(billed.usages, session.calls)
  return session.changes.map(({ change, from }) => {
    const first = steps.find(({ step }) => session.calls.indexOf(step.after) >= from)
    const about = { name: "changes", client: session.client.name, from: billed.from, what: change } as const
    if (first === undefined) return { ...about, holds: false, result: "no call after the change" }
    const { step, miss } = first
    const isKept = pairs.has(step.before) && pairs.has(step.after)
    if (!isKept) return { ...about, holds: true, result: "not checked: the client has not kept both calls" }
    const wrong = wrongIn(step, miss, billed) ?? wrongPlace(change, step, miss, billed)
    return { ...about, holds: wrong === undefined, result: wrong ?? answerOf(step, miss, change) }
  })
}

interface StepMiss {
  readonly step: Step
  readonly miss: BillMiss | undefined
}

function missesBySteps(session: Session, { bill, usages }: Billed): readonly StepMiss[] {
  const pairs = pairWithWire(usages, session.calls)
  return stepsOf(session.calls).map((step) => {
    const id = pairs.get(step.after)?.id
    return { step, miss: bill.misses.find(({ call }) => call === id) }
  })
}

/** What is wrong with the answer, if anything: a miss too many or too few, its cause, its tokens or its price. */
function wrongIn(step: Step, miss: BillMiss | undefined, { exact }: Billed): string | undefined {
  const lost = paidTwice(step)
  if (miss === undefined) return lost === 0 || step.lost === 0 ? undefined : `missed ${lost} lost tokens`
  if (step.lost === 0) return `false: ${describe(miss)}`
  const causes = causesOf(step)
  if (!causes.includes(miss.cause) && (exact || miss.cause !== "unknown"))
    return `cause ${describe(miss)}, not ${causes.join(" or ")}`
  if (!near(miss.tokens, exact ? lost : step.lost))
    return `${miss.tokens} tokens, not ${exact ? lost : step.lost}`
  const usd = step.lostUsd === null || step.lost === 0 ? null : (step.lostUsd * miss.tokens) / step.lost
  const isPriced =
    usd === null ? miss.costUsd === null : miss.costUsd !== null && near(miss.costUsd * 1e6, usd * 1e6)
  if (!isPriced) return `$${miss.costUsd}, simulated $${usd}`
  return exact && !isInFile(miss) ? `not what the file says there: ${describe(miss)}` : undefined
}

/** Whether the line of the file that is named says what is new in the request, or is that of what is named there. */
function isInFile({ owner, after }: BillMiss): boolean {
  if (owner?.path === undefined || owner.line === undefined || after === undefined) return true
  if (!existsSync(owner.path)) return true
  const said = after
    .replaceAll(/<[^<>]*>/g, "")
    .replace(/…$/, "")
    .trim()
  const line = readFileSync(owner.path, "utf8").split("\n")[owner.line - 1] ?? ""
  return line.includes(said) || said === owner.name
}

/** Within a hundredth, or a few tokens: parts are shares of what the provider counted. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(8, b / 100)
}

/**
 * Of what was lost, the tokens that had been sent before: new text is paid for the first time. A text that was edited
 * counts as a whole, whether it is what changed first or a tool or system text that changed as well.
 */
function paidTwice({ before, after, lost, broke }: Step): number {
  if (lost === 0) return 0
  const [was, is] = [before, after].map(({ body, format }) => wireBlocks(body, format))
  const had = new Set(was?.map(({ key }) => key))
  const has = new Set(is?.map(({ key }) => key))
  const isEdited = broke?.is !== undefined && !has.has(broke.was.key) && !had.has(broke.is.key)
  const gone = was?.filter(({ key, tier }) => !has.has(key) && tier !== "messages").map(nameOf) ?? []
  let at = 0
  let again = 0
  for (const block of is ?? []) {
    const tokens = countTokens(block.text)
    at += tokens
    const isFirst = isEdited && block.key === broke.is?.key
    const isKnown = had.has(block.key) || isFirst || gone.includes(nameOf(block))
    if (isKnown) again += Math.max(0, Math.min(tokens, at - after.usage.read))
  }
  return Math.min(lost, again)
}

/** What an edited tool or system text is recognised by. */
function nameOf({ tier, text }: WireBlock): string {
  return tier === "tools" ? (/"name":"([^"]*)"/.exec(text)?.[1] ?? text) : tier
}

/** The causes that are right: often one, two if the conversation and its context are one message. */
function causesOf({ before, after, broke }: Step): readonly BillMissCause[] {
  if (before.model !== after.model) return ["model-changed"]
  const marks = wireBlocks(before.body, before.format).flatMap(({ mark }) => mark ?? [])
  const lifetimes = (marks.length > 0 ? marks : [undefined]).map(
    (name) => ttlOf(ruleFor(after.model), name).seconds,
  )
  if (after.at - before.at > Math.max(...lifetimes) * 1000) return ["expired"]
  if (broke === undefined) return ["settings-changed", "look-back", "evicted"]
  if (broke.tier === "tools" || broke.is?.tier === "tools") return ["tools-changed"]
  return broke.tier === "system" ? ["text-changed"] : ["text-changed", "messages-changed", "compacted"]
}

/** Whether the file, the line or the tool is the one that was changed. */
function wrongPlace(
  change: Change,
  step: Step,
  miss: BillMiss | undefined,
  { exact }: Billed,
): string | undefined {
  if (miss === undefined || !exact) return undefined
  const { owner } = miss
  if (change === "instructions") {
    const isHere = step.broke?.is?.text.includes(EDITED_TEXT) && !step.broke.was.text.includes(EDITED_TEXT)
    const isRight = owner?.line === EDITED_LINE && miss.after?.includes(EDITED_TEXT.slice(0, 40))
    return isHere && !isRight ? `named ${describe(miss)}, not line ${EDITED_LINE}` : undefined
  }
  if (change === "skill" && miss.cause === "text-changed" && !owner?.path?.includes("ring-bell"))
    return `named ${describe(miss)}, not the new skill`
  if (change === "model" && miss.cause !== "model-changed") return `named ${describe(miss)}`
  return undefined
}

function answerOf({ lost, appended, after }: Step, miss: BillMiss | undefined, change: Change): string {
  if (miss !== undefined) return `miss: ${describe(miss)}`
  if (lost > 0) return "no miss: nothing was paid for twice"
  const signs = signsOf(change, after.at)
  const isThere = appended.some(({ text }) => signs.some((sign) => text.includes(sign)))
  return isThere ? "no miss: appended" : "no miss: the prefix is the same"
}

const DAY_MS = 86_400_000

/** How a change can be seen in a request. */
function signsOf(change: Change, at: number): readonly string[] {
  if (change === "instructions") return [EDITED_TEXT]
  if (change === "skill") return ["ring-bell"]
  if (change === "tool" || change === "tool-order") return ["_lamp"]
  const days = [at - DAY_MS, at + DAY_MS].map((time) => new Date(time).toISOString().slice(0, 10))
  return change === "day" ? days : []
}

function describe({ cause, owner, tokens, costUsd, how }: BillMiss): string {
  const path = owner?.path?.split("/").slice(-3).join("/")
  const place =
    path === undefined ? (owner?.name ?? owner?.kind) : `${path}${owner?.line ? `:${owner.line}` : ""}`
  return [cause, how, place, `${tokens} tokens`, costUsd === null ? "no price" : `$${costUsd.toFixed(4)}`]
    .filter((word) => word !== undefined)
    .join(" ")
}
