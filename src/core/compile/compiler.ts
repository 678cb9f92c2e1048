// The compiler: turns sections into a prompt with its plan. Pure. It caches what it wrote, so a step without changes
// costs nothing, and a step in which only the turn changed costs only the turn.
import { oncePerObject } from "../../base/memo/once.ts"
import type { Baseline, Change } from "../epoch/epoch.ts"
import { buildHead, type HeadInput, type HeadOptions, type HeadTools } from "../epoch/head.ts"
import { buildStep, type StepOptions } from "../epoch/step.ts"
import type { Step } from "../layout/layout.ts"
import { layoutOf } from "../layout/layouts.ts"
import type { Counter } from "../model/counter.ts"
import type { Edit } from "../model/edit.ts"
import type { Agent, Session, Turn } from "../model/inputs.ts"
import type { Block } from "../model/plan.ts"
import type { Profile } from "../model/profile.ts"
import type { Prompt } from "../model/prompt.ts"
import { readerOf } from "../view/reader.ts"
import { turnFor, type View, view } from "../view/view.ts"
import { inZone } from "../write/clock-zone.ts"
import { TAIL_ENVELOPE, tags } from "../write/markup.ts"
import type { Kit } from "../write/measure.ts"
import { rememberWriter } from "../write/remember-writer.ts"
import { createWriter } from "../write/write.ts"
import { checkCounter, checkSources, checkTurn, given } from "./check-input.ts"
import { checkHeadOptions, checkStepOptions } from "./check-options.ts"
import { checkProfile } from "./check-profile.ts"

/** Stable and session text for one epoch. Keep it, and call `step` for each model call. */
export interface Head {
  readonly blocks: readonly Block[]
  /** What the session has been sent. Pass it in with the next head. */
  readonly baseline: Baseline
  /** Whether this head began the epoch; `baseline.reason` has the reason. */
  readonly started: boolean
  /** Sections whose sources differ from the baseline, and how each change is handled. */
  readonly changes: readonly Change[]
  step(turn: Turn, options?: StepOptions): Prompt
}

/**
 * A compiler for one profile and any number of sessions. It remembers what it wrote, so keep one for as long as the
 * program runs.
 */
export interface Compiler {
  /** What the session's audience may see. Made once: `head` uses the same view. */
  view(agent: Agent, session: Session): View
  head(agent: Agent, session: Session, options?: HeadOptions): Head
}

/** The profile to compile, and the counter of its tokens. */
export interface CompilerOptions {
  readonly profile: Profile
  readonly counter: Counter
}

/** What one prompt is made from: the agent, the session and the turn. */
export interface CompileInput {
  readonly agent: Agent
  readonly session: Session
  readonly turn: Turn
}

/** Makes a compiler from a profile: `head` once per epoch, then `step` for each model call. */
export function createCompiler({ profile, counter }: CompilerOptions): Compiler {
  checkProfile(profile)
  checkCounter(counter)
  const layout = layoutOf(profile)
  const kit = kitOf(profile, counter)
  // The last head of each session, for as long as the caller has the session.
  const heads = new WeakMap<Session, MadeHead>()
  const viewOf = oncePerObject((agent: Agent) =>
    oncePerObject((session: Session) => {
      checkSources(agent, session)
      return view(agent, session, profile.toolOrder)
    }),
  )
  const visibleTo = (agent: Agent, session: Session) =>
    viewOf(given("agent", agent))(given("session", session))
  return {
    view: visibleTo,
    head(agent, session, options = {}) {
      const visible = visibleTo(agent, session)
      const last = heads.get(session)
      if (last?.agent === agent && sameFields(last.options, options)) return last.head
      checkHeadOptions(options)
      const reader = readerOf(agent, session, profile.readers)
      const head = makeHead(
        { agent, session, visible, options },
        { profile, layout, kit: { ...kit, reader } },
      )
      heads.set(session, { agent, options, head })
      return head
    },
  }
}

interface MadeHead {
  readonly agent: Agent
  readonly options: HeadOptions
  readonly head: Head
}

/** What all heads of a compiler share. The reader depends on the session. */
function kitOf({ markup = tags, cutMarker }: Profile, counter: Counter): Omit<Kit, "reader"> {
  const writeOnce = createWriter(markup, counter)
  return {
    counter,
    frame: counter.count(TAIL_ENVELOPE.open) + counter.count(TAIL_ENVELOPE.close),
    writeOnce,
    write: rememberWriter(writeOnce),
    shortened: new WeakMap(),
    updates: oncePerObject(() => new WeakMap()),
    ...(cutMarker && { marker: cutMarker }),
  }
}

/** What `compile` takes: the options of a head and of a step, and the counter. */
export interface CompileOptions extends Omit<HeadOptions, "edits">, Omit<StepOptions, "edits"> {
  readonly counter: Counter
  /** Edits, by the pace of the hook that made them. */
  readonly edits?: HeadOptions["edits"] & { readonly turn?: readonly Edit[] }
}

/** Head and step in one call, for a single prompt. In a loop, keep a compiler instead. */
export function compile(
  profile: Profile,
  { agent, session, turn }: CompileInput,
  options: CompileOptions,
): Prompt {
  const { counter, conversationTokens = 0, sent, edits = {}, ...rest } = options
  const { turn: turnEdits = [], ...headEdits } = edits
  const head = createCompiler({ profile, counter }).head(agent, session, { ...rest, edits: headEdits })
  return head.step(turn, { conversationTokens, edits: turnEdits, ...(sent && { sent }) })
}

function makeHead(input: HeadInput, tools: HeadTools): Head {
  const head = buildHead(input, tools)
  const { profile, layout, kit } = tools
  let last: { readonly turn: Turn; readonly options: StepOptions; readonly prompt: Prompt } | undefined
  return {
    blocks: head.blocks,
    baseline: head.baseline,
    started: head.started,
    changes: head.changes,
    step(turn, options = {}) {
      if (last !== undefined && last.turn === turn && sameFields(last.options, options)) return last.prompt
      checkTurn(given("turn", turn))
      checkStepOptions(options)
      const step: Step = {
        profile,
        kit,
        head,
        turn: inZone(head.view, turnFor(input.session.audience, turn)),
        moment: { sent: options.sent, epoch: head.baseline.epoch, turn: turn.id },
        conversationTokens: options.conversationTokens ?? 0,
        edits: options.edits ?? [],
      }
      const prompt = buildStep(step, layout.step)
      last = { turn, options, prompt }
      return prompt
    },
  }
}

function sameFields<T extends object>(a: T, b: T): boolean {
  if (a === b) return true
  const keys = Object.keys(a) as (keyof T)[]
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}
