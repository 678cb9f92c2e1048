// Compiles the prompt of a step: the session's head and the current tail, which is written into the conversation and
// stored before anything is sent. A new epoch removes the old tails and is reported with its price.

import { levelOf, sentence } from "../../../base/diagnostic.ts"
import { parseDuration } from "../../../base/duration.ts"
import { atLeast, mostOf } from "../../../base/trust.ts"
import type { Head } from "../../../core/compile/compiler.ts"
import { type Change, rewrittenTokens } from "../../../core/epoch/epoch.ts"
import type { HeadOptions } from "../../../core/epoch/head.ts"
import { inModelTokens } from "../../../core/fit/budget.ts"
import { attach, detach } from "../../../core/layout/tail.ts"
import type { Edit } from "../../../core/model/edit.ts"
import type { Message } from "../../../core/model/message.ts"
import type { Profile } from "../../../core/model/profile.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import type { SourceFile } from "../../../core/model/source.ts"
import { view } from "../../../core/view/view.ts"
import type { Item } from "../../../database/contract/transcripts.ts"
import type { SenderFacts } from "../../inbox/people.ts"
import { messageOf } from "../../models/item-messages.ts"
import type { GatherSources } from "../../setup/prompt-sources.ts"
import type { Services } from "../../setup/services.ts"
import { save, type Work } from "../work.ts"
import { clientEdits } from "./client-instructions.ts"
import { type GatherOptions, gather } from "./gather.ts"
import type { GatheredTurn } from "./gathered-turn.ts"
import { tailFormIn } from "./late-system.ts"
import { nestedContext, nestedEdits } from "./nested.ts"

export interface CompiledStep {
  readonly prompt: Prompt
  /** The conversation as it is sent, including the tail. */
  readonly messages: readonly Message[]
}

/** Makes the prompts of turns. */
export interface Prompts {
  /** Reads what the prompt of a session is made of. The head uses the same view. */
  gather(options: GatherOptions): Promise<GatheredTurn>
  /** What a sender may see of the agent, outside of a session. */
  gatherFor(from: SenderFacts): Promise<GatheredTurn>
  /** The session's head as it is now. `rebase`: the reason for a new epoch. */
  head(work: Work, rebase: string | undefined): Head
  /** The text of the head as it would be without hooks. */
  headText(work: Work): string
  /** `opening`: items that begin the turn, the user's message last; they are stored together with the tail. */
  compileStep(work: Work, opening: readonly Item[]): Promise<CompiledStep>
}

export type PromptServices = GatherSources & Pick<Services, "compiler" | "clock" | "store">

export function createPrompts(services: PromptServices): Prompts {
  return {
    gather: (options) => gatherOnce(services, options),
    gatherFor: (message) =>
      gather(services, { id: "", message, state: {}, inHead: 0 }, (agent, session) =>
        view(agent, session, services.workspace.profile().toolOrder),
      ),
    head: (work, rebase) => headNow(services, work, rebase),
    headText: (work) => headText(services, work),
    compileStep: (work, opening) => compileStep(services, work, opening),
  }
}

function gatherOnce(services: PromptServices, options: GatherOptions): Promise<GatheredTurn> {
  return gather(services, options, services.compiler().view)
}

async function compileStep(
  services: PromptServices,
  work: Work,
  opening: readonly Item[],
): Promise<CompiledStep> {
  const { conversation } = work
  const head = await headOf(services, work)
  const base = conversation.messagesOf([...work.items, ...opening.map((item) => ({ item }))])
  const before = head.started ? detach(base) : base
  const said = conversation.tokens(before, head.baseline.ratio.factor)
  const prompt = head.step(work.turn, {
    conversationTokens: said,
    ...(work.state.sent && { sent: work.state.sent }),
    edits: [
      ...work.edits,
      ...nestedEdits(touchedSince(services, work), services.workspace.directory, before),
    ],
  })
  const messages = attach(before, prompt.tail)
  tellChanges(work, head, prompt, said)
  await keep(services, work, { head, prompt, messages, base, opening })
  work.prompt = prompt
  return { prompt, messages }
}

/** The session's head. Context of touched files moves into it when an epoch begins for another reason. */
async function headOf(services: PromptServices, work: Work): Promise<Head> {
  const first = headNow(services, work, work.state.rebase)
  const reason = rewriteReason(work) ?? coldReason(work, first.changes, services.clock)
  const head = reason === undefined ? first : headNow(services, work, reason)
  const all = work.state.touched?.length ?? 0
  if (!head.started || all === (work.state.touchedInHead ?? 0)) return head
  work.gathered = await gatherOnce(services, { ...sourceOf(work), inHead: all })
  work.state = { ...work.state, touchedInHead: all }
  return headNow(services, work, head.baseline.reason)
}

function headNow(
  { compiler, workspace }: Pick<PromptServices, "compiler" | "workspace">,
  work: Work,
  rebase: string | undefined,
): Head {
  const { agent, session, budget, ttl, diagnostics } = work.gathered
  return compiler().head(agent, session, {
    budget,
    ttl,
    diagnostics,
    tailForm: tailFormIn(work.state, work.model),
    ...(work.baseline && { baseline: work.baseline }),
    ...(rebase !== undefined && { rebase }),
    edits: work.rewrite ? rewriteEdits(workspace.profile(), work.rewrite) : clientEdits(work.waiting.message),
  })
}

/** A prompt rewritten by a hook begins an epoch, and so does the one after it. */
function rewriteReason({ rewrite, state, step }: Work): string | undefined {
  if (rewrite !== undefined) return step === 1 ? `${rewrite.by} rewrote the prompt` : undefined
  return state.rewrittenBy === undefined ? undefined : `the rewrite by ${state.rewrittenBy} ended`
}

/** The first section gets the whole text, the others are emptied. */
function rewriteEdits(
  { sections }: Profile,
  { by, text }: NonNullable<Work["rewrite"]>,
): NonNullable<HeadOptions["edits"]> {
  const [first, ...others] = sections.filter(({ pace }) => pace !== "turn")
  if (first === undefined) return {}
  const removed = others.map(({ id }): Edit => ({ kind: "remove", by, id }))
  return { stable: [{ kind: "replace", by, id: first.id, content: { parts: [{ text }] } }, ...removed] }
}

function headText(services: PromptServices, work: Work): string {
  return headNow(services, work, rewriteReason(work) ?? work.state.rebase)
    .blocks.map(({ text }) => text)
    .join("")
}

/** Text that has expired from the provider's cache can be rewritten at no extra cost. */
function coldReason(
  { state: { lastCall }, gathered }: Work,
  changes: readonly Change[],
  clock: Pick<Services["clock"], "now">,
): string | undefined {
  const ttlMs = parseDuration(gathered.ttl) ?? 0
  const isCold = lastCall !== undefined && clock.now() - lastCall.at > ttlMs
  return isCold && changes.length > 0 ? "the cache was cold" : undefined
}

function sourceOf({ session, waiting, state, model }: Work) {
  return { id: session.id, message: waiting.message, state, model }
}

/** Each path is read once per turn: later steps read only newly touched ones. */
function touchedSince(sources: GatherSources, work: Work): readonly SourceFile[] {
  const { state, cache } = work
  const { session } = work.gathered
  const touched = (state.touched ?? []).slice(state.touchedInHead ?? 0)
  const known = cache.nested
  const isLonger = known?.session === session && known.touched.every((path, at) => path === touched[at])
  const before = isLonger ? known : { session, touched: [], files: [] }
  const added = touched.slice(before.touched.length)
  if (added.length === 0) return before.files
  const inPrompt = { ...session, files: [...session.files, ...before.files] }
  const files = [...before.files, ...nestedContext(sources, inPrompt, added)]
  cache.nested = { session, touched, files }
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
async function keep(
  services: Pick<Services, "store">,
  work: Work,
  { head, prompt, messages, base, opening }: Made,
): Promise<void> {
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
  const { joining: joined } = work
  await save(services, work, { append, replace, joined, ...(head.started && { baseline: head.baseline }) })
  work.joining = []
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
