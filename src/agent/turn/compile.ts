// Compiles the prompt of a step: the session's head and the current tail, which is written into the conversation and
// stored before anything is sent. A new epoch removes the old tails and is reported with its price.
import { levelOf, sentence } from "../../base/diagnostic.ts"
import { canonicalJson } from "../../base/digest.ts"
import { parseDuration } from "../../base/duration.ts"
import { atLeast, mostOf } from "../../base/trust.ts"
import type { Head } from "../../core/compile/compiler.ts"
import { type Change, rewrittenTokens } from "../../core/epoch/epoch.ts"
import type { HeadOptions } from "../../core/epoch/head.ts"
import { inModelTokens } from "../../core/fit/budget.ts"
import { attach, detach } from "../../core/layout/tail.ts"
import type { Edit } from "../../core/model/edit.ts"
import type { Session, Turn } from "../../core/model/inputs.ts"
import { isSent, type Message } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { SourceFile } from "../../core/model/source.ts"
import type { Item } from "../../database/contract/transcripts.ts"
import { o200k } from "../../tokens/o200k.ts"
import { messageOf, messagesOf } from "../models/item-messages.ts"
import { gather } from "./gather.ts"
import { tailFormIn } from "./late-system.ts"
import { nestedContext, nestedEdits } from "./nested.ts"
import { save, type Work } from "./work.ts"

export interface CompiledStep {
  readonly prompt: Prompt
  /** The conversation as it is sent, including the tail. */
  readonly messages: readonly Message[]
}

/** `opening`: items that begin the turn, the user's message last; they are stored together with the tail. */
export async function compileStep(work: Work, opening: readonly Item[]): Promise<CompiledStep> {
  const head = await headOf(work)
  const base = messagesOf([...work.items, ...opening.map((item) => ({ item }))])
  const before = head.started ? detach(base) : base
  const said = conversationTokens(before, head.baseline.ratio.factor)
  const prompt = head.step(work.turn, {
    conversationTokens: said,
    ...(work.state.sent && { sent: work.state.sent }),
    edits: [...work.edits, ...nestedEdits(touchedSince(work), work.runtime.directory, before)],
  })
  const messages = attach(before, prompt.tail)
  tellChanges(work, head, prompt, said)
  await keep(work, { head, prompt, messages, base, opening })
  work.prompt = prompt
  return { prompt, messages }
}

/** The session's head. Context of touched files moves into it when an epoch begins for another reason. */
async function headOf(work: Work): Promise<Head> {
  const first = headNow(work, work.state.rebase)
  const reason = rewriteReason(work) ?? coldReason(work, first.changes)
  const head = reason === undefined ? first : headNow(work, reason)
  const all = work.state.touched?.length ?? 0
  if (!head.started || all === (work.state.touchedInHead ?? 0)) return head
  work.gathered = await gather(work.runtime, sourceOf(work), all)
  work.state = { ...work.state, touchedInHead: all }
  return headNow(work, head.baseline.reason)
}

export function headNow(work: Work, rebase: string | undefined): Head {
  const { agent, session, budget, ttl, diagnostics } = work.gathered
  return work.runtime.compiler(work.session.id).head(agent, session, {
    budget,
    ttl,
    diagnostics,
    tailForm: tailFormIn(work.state, work.runtime.model()),
    ...(work.baseline && { baseline: work.baseline }),
    ...(rebase !== undefined && { rebase }),
    ...(work.rewrite && { edits: rewriteEdits(work, work.rewrite) }),
  })
}

/** A prompt rewritten by a hook begins an epoch, and so does the one after it. */
function rewriteReason({ rewrite, state, step }: Work): string | undefined {
  if (rewrite !== undefined) return step === 1 ? `${rewrite.by} wrote the prompt anew` : undefined
  return state.rewrittenBy === undefined ? undefined : `what ${state.rewrittenBy} wrote is over`
}

/** The first section gets the whole text, the others are emptied. */
function rewriteEdits(
  { runtime }: Work,
  { by, text }: NonNullable<Work["rewrite"]>,
): NonNullable<HeadOptions["edits"]> {
  const [first, ...others] = runtime.profile.sections.filter(({ pace }) => pace !== "turn")
  if (first === undefined) return {}
  const removed = others.map(({ id }): Edit => ({ kind: "remove", by, id }))
  return { stable: [{ kind: "replace", by, id: first.id, content: { parts: [{ text }] } }, ...removed] }
}

/** The head as it would be without hooks. */
export function headText(work: Work): string {
  return headNow(work, rewriteReason(work) ?? work.state.rebase)
    .blocks.map(({ text }) => text)
    .join("")
}

/** Text that has expired from the provider's cache can be rewritten at no extra cost. */
function coldReason(work: Work, changes: readonly Change[]): string | undefined {
  const { lastCall } = work.state
  const ttlMs = parseDuration(work.gathered.ttl) ?? 0
  const isCold = lastCall !== undefined && work.runtime.now() - lastCall.at > ttlMs
  return isCold && changes.length > 0 ? "the cache was cold" : undefined
}

function sourceOf({ session, waiting, state }: Work) {
  return { id: session.id, message: waiting.message, state }
}

interface Nested {
  readonly session: Session
  readonly since: readonly string[]
  readonly files: readonly SourceFile[]
}

const NESTED = new WeakMap<Turn, Nested>()

/** Each path is read once per turn: later steps read only newly touched ones. */
function touchedSince({ runtime, gathered: { session }, state, turn }: Work): readonly SourceFile[] {
  const since = (state.touched ?? []).slice(state.touchedInHead ?? 0)
  const known = NESTED.get(turn)
  const isLonger = known?.session === session && known.since.every((path, at) => path === since[at])
  const before = isLonger ? known : { session, since: [], files: [] }
  const added = since.slice(before.since.length)
  if (added.length === 0) return before.files
  const sent = { ...session, files: [...session.files, ...before.files] }
  const files = [...before.files, ...nestedContext(runtime, sent, added)]
  NESTED.set(turn, { session, since, files })
  return files
}

interface Made {
  readonly head: Head
  readonly prompt: Prompt
  readonly messages: readonly Message[]
  /** The conversation before the epoch and the tail changed it. */
  readonly base: readonly Message[]
  readonly opening: readonly Item[]
}

/** Stores everything in one transaction, so that what is sent is what is stored. */
async function keep(work: Work, { head, prompt, messages, base, opening }: Made): Promise<void> {
  // Only the items that are messages: these have the same order in both lists.
  const stored = work.items.filter(({ item }) => messageOf(item) !== undefined)
  const replace = stored.flatMap(({ seq, item }, at) => {
    const message = messages[at]
    return item.kind === "message" && message !== undefined && message !== base[at]
      ? [{ seq, item: { ...item, message } }]
      : []
  })
  const append = opening.map((item, at): Item => {
    const message = messages[stored.length + at]
    return item.kind === "message" && message !== undefined ? { ...item, message } : item
  })
  const { rebase: _done, rewrittenBy: _over, ...rest } = work.state
  const state = work.rewrite === undefined ? rest : { ...rest, rewrittenBy: work.rewrite.by }
  if (replace.length === 0 && append.length === 0 && !head.started && state.sent === prompt.sent) return
  work.state = { ...state, sent: prompt.sent }
  await save(work, { append, replace, ...(head.started && { baseline: head.baseline }) })
}

/** `said`: the conversation's tokens, which are rewritten as well once the old tails are removed. */
function tellChanges(work: Work, head: Head, prompt: Prompt, said: number): void {
  const { scope, tell, gathered, baseline } = work
  if (head.started) {
    const { epoch, reason, ratio } = head.baseline
    const { tools } = prompt.plan.budget
    const ofHead = inModelTokens(rewrittenTokens(baseline, head.baseline), ratio)
    const before = baseline?.tools === head.baseline.tools ? 0 : tools
    const rewrites = before + ofHead + (baseline === undefined ? 0 : said)
    scope.event("epoch_started", { data: { epoch, reason, rewrites } })
    tell({ kind: "epoch-started", epoch, reason, rewrites })
    for (const diagnostic of gathered.diagnostics) {
      const text = sentence(diagnostic)
      // Whoever may not see the file may not learn of it, even from the log.
      const { needs = "public" } = diagnostic
      const { trust } = gathered.session.audience
      scope
        .with({ trust: mostOf(needs, trust) })
        .event("diagnostic", { data: { code: diagnostic.code, text } })
      if (atLeast(trust, needs)) tell({ kind: "diagnostic", level: levelOf(diagnostic), text })
    }
  }
  tellUpdates(work, head, prompt)
}

/** Each change is reported once, however many turns it lasts. */
function tellUpdates(work: Work, { changes }: Head, { plan }: Prompt): void {
  const noticed = work.state.noticed ?? []
  const now = new Map(plan.entries.map(({ id, current }) => [id, current]))
  const keys = changes.map(({ id, how }) => `${id} ${how} ${now.get(id) ?? ""}`)
  for (const [at, { id, why, how, rewrites }] of changes.entries()) {
    if (noticed.includes(keys[at] ?? "")) continue
    work.scope.event("section_updated", { data: { section: id, why, how, rewrites } })
    work.tell({ kind: "section-updated", id, why, how })
  }
  if (keys.length > 0 || noticed.length > 0) work.state = { ...work.state, noticed: keys }
}

const COUNTED = new WeakMap<Message, number>()

/** In the model's tokens. Each message is counted once. */
export function conversationTokens(messages: readonly Message[], factor: number): number {
  const counted = messages.reduce((sum, message) => sum + countOf(message), 0)
  return inModelTokens(counted, { factor, exact: false })
}

function countOf(message: Message): number {
  const known = COUNTED.get(message)
  if (known !== undefined) return known
  const texts = message.parts
    .filter(isSent)
    .map((part) => (part.kind === "tool-call" ? `${part.name} ${canonicalJson(part.input)}` : part.text))
  const count = texts.reduce((sum, text) => sum + o200k.count(text), 0)
  COUNTED.set(message, count)
  return count
}
