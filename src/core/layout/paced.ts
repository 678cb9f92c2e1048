// The layout by pace: stable text, then session text, kept for an epoch, and turn text in a tail that joins the
// conversation. What the conversation already contains is not repeated.
import type { Digest } from "../../base/digest.ts"
import { PACES, type Pace } from "../../base/pace.ts"
import type { Patch } from "../../base/text/line-diff.ts"
import { headTokens } from "../epoch/epoch.ts"
import { inCountedTokens, overBudget, tailLimit } from "../fit/budget.ts"
import { type Fitted, type FittedSections, fitSections, fitUntilSettled } from "../fit/fit-sections.ts"
import { fitPaces } from "../fit/share-paces.ts"
import { buildTurnSections } from "../model/build-sections.ts"
import { applyEdits, type Edit, type EditsApplied, targetOf } from "../model/edit.ts"
import type { Outcome } from "../model/plan.ts"
import type { Section } from "../model/section.ts"
import { type Measured, whyOut } from "../write/measure.ts"
import { type HeadBlocks, headBlocks, type OwnedRun } from "./blocks.ts"
import type {
  EditedHead,
  EditedStep,
  FittedStep,
  HeadEditOptions,
  HeadFitOptions,
  Layout,
  PlacedStep,
  Step,
} from "./layout.ts"
import { isSameTurn, type Moment, type Sent, sentSections } from "./tail.ts"
import { tailBlock } from "./tail-block.ts"
import { tailEntries } from "./tail-entries.ts"
import { isInConversation, sentDigest, sentKey, tailSections, timing } from "./tail-updates.ts"

export const paced: Layout = {
  headShare: 0.75,
  head: { edit: editHead, fit: fitHead, place: placeHead },
  step: { edit: editTurn, fit: fitTail, place: placeTail },
}

/** A slow edit may also change faster text. Whatever concerns the turn waits for the step. */
function editHead(built: readonly Section[], { profile, edits }: HeadEditOptions): EditedHead {
  const turnIds = new Set(profile.sections.flatMap(({ id, pace }) => (pace === "turn" ? [id] : [])))
  const isLater = (edit: Edit) => turnIds.has(targetOf(edit))
  const now = (list: readonly Edit[] = []) => list.filter((edit) => !isLater(edit))
  const stable = applyEdits(built, now(edits.stable), { pace: "stable" })
  const session = applyEdits(stable.sections, now(edits.session), { pace: "session" })
  const ofPace = (pace: Pace) => session.sections.filter((section) => section.pace === pace)
  const all = [...(edits.stable ?? []), ...(edits.session ?? [])]
  return {
    sections: [...ofPace("stable"), ...ofPace("session")],
    results: [...stable.results, ...session.results],
    diagnostics: [...stable.diagnostics, ...session.diagnostics],
    later: { sections: ofPace("turn"), edits: all.filter(isLater) },
  }
}

function fitHead(sections: readonly Measured[], { profile, limits, kit }: HeadFitOptions): FittedSections {
  const limit = inCountedTokens(limits.head, limits.ratio)
  const hasSession = profile.sections.some(({ pace }) => pace === "session")
  return fitUntilSettled(sections, {
    fitAll: (settled) => fitPaces(settled, { limit, shares: limits.shares, hasSession, kit }),
    kit,
  })
}

function placeHead(fitted: readonly Fitted[], { ttl }: { readonly ttl: string }): HeadBlocks {
  return headBlocks(fitted, { group: byPace, ttl })
}

function byPace(runs: readonly OwnedRun[]): readonly (readonly OwnedRun[])[] {
  return PACES.map((pace) => runs.filter((run) => run.pace === pace)).filter((group) => group.length > 0)
}

function editTurn({ profile, head, turn, edits }: Step): EditsApplied {
  const { agent, session } = head.view
  const built = buildTurnSections(profile, { agent, session, turn })
  const all = [...head.later.edits, ...edits]
  const slower = all.length === 0 ? [] : head.measured.map(({ section }) => section)
  return applyEdits([...built, ...head.later.sections], all, { pace: "turn", slower })
}

function fitTail(sections: readonly Measured[], step: EditedStep): FittedStep {
  const { head, moment, kit } = step
  const { limits } = head
  const all = tailSections(sections, step)
  const due = all.filter((one) => one.whole !== undefined && timing(one, moment) === "now")
  const limit = limitOfTail(due, step)
  const available = Math.max(0, inCountedTokens(limit, limits.ratio) - kit.frame)
  const fitted = fitSections(due, { limit: available, shares: limits.shares, kit })
  const required = fitted.requiredTokens && fitted.requiredTokens + kit.frame
  const found = new Map(fitted.sections.map((one) => [one.measured, asEnding(one)]))
  return {
    sections: all.map((measured) => found.get(measured) ?? notNow(measured, moment)),
    limits: { head: limits.head, tail: limit },
    diagnostics: overBudget("tail", { required, limit, ratio: limits.ratio }),
  }
}

/** In the model's tokens. Head text that the tail contains for now may use the budget that the head has left. */
function limitOfTail(due: readonly Measured[], { head, conversationTokens }: EditedStep): number {
  const late = due.filter(({ section }) => section.budget === "head")
  const lateTokens = late.reduce((sum, { whole }) => sum + (whole?.tokens ?? 0), 0)
  return tailLimit(head.limits, { headTokens: headTokens(head), conversationTokens, lateTokens })
}

/** An ending is in the prompt so that the text it names no longer counts. */
function asEnding(fitted: Fitted): Fitted {
  return fitted.measured.update?.ends ? { ...fitted, outcome: { kind: "ended" } } : fitted
}

function notNow(measured: Measured, moment: Moment): Fitted {
  return { measured, outcome: whyNotNow(measured, moment), written: undefined }
}

function whyNotNow(measured: Measured, moment: Moment): Outcome {
  if (measured.whole === undefined) return whyOut(measured)
  const isLater = timing(measured, moment) === "later"
  return isLater ? { kind: "unused", why: { kind: "next-turn" } } : { kind: "unchanged" }
}

function placeTail(
  { sections, diagnostics }: FittedStep,
  { head, results, moment, kit }: EditedStep,
): PlacedStep {
  const tail = tailBlock(sections, { at: head.blocks.length, frame: kit.frame })
  const entries = tailEntries(sections, { head: head.entries, edits: results, spans: tail.spans })
  return {
    head: head.blocks,
    tail: tail.block,
    entries: [...entries.head, ...entries.sections, ...tail.envelope, ...entries.edits],
    sent: sentAfter(sections, moment),
    diagnostics: [...entries.diagnostics, ...diagnostics],
  }
}

/** Records what was sent now. What was dropped keeps its previous digest, so it is tried again. */
function sentAfter(fitted: readonly Fitted[], moment: Moment): Sent {
  const known = sentSections(moment)
  const contained = fitted
    .map(({ measured }) => measured)
    .filter((one) => isInConversation(one) && isNews(one, known))
  const sent = fitted.flatMap(({ measured, written }) => (written === undefined ? [] : [measured]))
  // Returns the same object, so that the next step of the turn is recognised as unchanged.
  const isSame = contained.length === 0 && sent.length === 0 && isSameTurn(moment)
  if (moment.sent !== undefined && isSame) return moment.sent
  const sections: Record<string, Digest> = { ...known }
  const patches: Record<string, Patch> = moment.sent?.epoch === moment.epoch ? { ...moment.sent.patches } : {}
  for (const measured of [...contained, ...sent]) {
    const [key, digest] = [sentKey(measured), sentDigest(measured)]
    delete patches[key]
    if (measured.update?.ends) delete sections[key]
    else if (digest !== undefined) sections[key] = digest
    if (measured.update?.patch !== undefined) patches[key] = measured.update.patch
  }
  const { epoch, turn } = moment
  return { epoch, turn, sections, ...(Object.keys(patches).length > 0 && { patches }) }
}

function isNews(measured: Measured, known: Sent["sections"]): boolean {
  const digest = sentDigest(measured)
  return digest !== undefined && known[sentKey(measured)] !== digest
}
