// A turn: from a message to its final answer. Its state is read from the transcript, so a turn interrupted by a crash
// or for lack of a model continues from there. This file is the loop; each of its parts has a file of its own.
import { guardPart } from "../../core/layout/guard-part.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Item } from "../../database/contract/transcripts.ts"
import { AudienceChanged } from "../inbox/present-audience.ts"
import type { Services } from "../setup/services.ts"
import { type BeginServices, beginTurn, type Placed, type TurnOptions } from "./begin.ts"
import { WaitsForClient } from "./calls/client-call.ts"
import { sameFailure } from "./calls/same-failure.ts"
import type { ToolCall, ToolCalls } from "./calls/tool-calls.ts"
import type { Ending } from "./finish.ts"
import { type FurtherServices, furtherMessages } from "./further-messages.ts"
import type { SentReply } from "./live-event.ts"
import { isBegun, noiseIn, type OpeningServices, openingItems, runHooks } from "./opening.ts"
import { ModelFailure } from "./provider/call.ts"
import { type StepServices, takeStep } from "./step.ts"
import { type SuspendServices, suspendTurn } from "./suspend.ts"
import { save, type Work } from "./work.ts"

/** What a turn consists of: beginning, opening, steps with their tool calls, and an end. */
export interface TurnParts
  extends BeginServices,
    OpeningServices,
    StepServices,
    SuspendServices,
    FurtherServices {
  readonly prompts: BeginServices["prompts"] & OpeningServices["prompts"] & StepServices["prompts"]
  readonly toolCalls: ToolCalls
  readonly ending: Ending
  readonly limits: Pick<Services["limits"], "steps" | "clientMs">
}

export interface Turns {
  /** Throws `AudienceChanged` once the sender may no longer have the conversation; nothing is answered then. */
  run(placed: Placed, options: TurnOptions): Promise<SentReply>
}

export function createTurns(parts: TurnParts): Turns {
  return { run: (placed, options) => runTurn(parts, placed, options) }
}

async function runTurn(parts: TurnParts, placed: Placed, options: TurnOptions): Promise<SentReply> {
  const { ending } = parts
  const work = await beginTurn(parts, placed, options)
  try {
    const noise = await noiseIn(parts, work)
    if (noise !== undefined) return await ending.finishAsNoise(work, noise)
    const opening = isBegun(work) ? await reopen(parts, work) : await openingItems(parts, work)
    const message = await answer(parts, work, opening)
    await checkAudience(parts, work)
    return await ending.finish(work, message)
  } catch (error) {
    if (!(error instanceof ModelFailure || error instanceof WaitsForClient)) throw error
    await checkAudience(parts, work)
    if (error instanceof WaitsForClient) return await suspendTurn(parts, work, error.asked)
    return await ending.fail(work, error)
  }
}

/** Takes steps until the model makes no more calls. Returns its last message, which may be empty. */
async function answer(parts: TurnParts, work: Work, first: readonly Item[]): Promise<Message> {
  for (let opening = first; ; opening = await furtherMessages(parts, work)) {
    if (work.signal.aborted) throw new ModelFailure("stopped", "no answer was written yet")
    await checkAudience(parts, work)
    work.step += 1
    work.scope = work.scope.with({ step: work.step })
    const asked = await takeStep(parts, work, opening)
    await checkAudience(parts, work)
    const calls = callsOf(asked.parts)
    const message: Message = { role: "assistant", parts: asked.parts }
    if (calls.length === 0 && asked.problems.length === 0) return message
    await save(parts, work, { append: [{ kind: "message", message }] })
    await runTools(parts, work, calls, asked.problems)
    stopIfStuck(work)
    stopAtLimit(work, parts.limits.steps)
  }
}

/** The configuration may have changed during the wait for a model or a tool. */
async function checkAudience(
  { workspace, people }: Pick<Services, "workspace" | "people">,
  { session, waiting, tell, step }: Work,
): Promise<void> {
  await workspace.refresh()
  if (people.isCurrent(session, waiting.message)) return
  tell({ kind: "step-discarded", step })
  throw new AudienceChanged(`the audience of the session ${session.id} has changed`)
}

/** The conversation has the turn's messages already; only the prompt changes of hooks are requested again. */
async function reopen(parts: TurnParts, work: Work): Promise<readonly Item[]> {
  await runHooks(parts, work)
  const last = work.items.at(-1)?.item
  const unanswered = last?.kind === "message" ? callsOf(last.message.parts) : []
  if (unanswered.length > 0) await runTools(parts, work, unanswered)
  return furtherMessages(parts, work)
}

/** Stores the results. `problems`: mistakes in the answer, reported to the model with them. */
async function runTools(
  parts: Pick<TurnParts, "toolCalls" | "store">,
  work: Work,
  calls: readonly ToolCall[],
  problems: readonly string[] = [],
): Promise<void> {
  const results = await parts.toolCalls.run(work, calls)
  const answers = [...results, ...problems.map((text) => ({ kind: "text", text }) as const)].map((part) =>
    guardPart(part),
  )
  await save(parts, work, { append: [{ kind: "message", message: { role: "user", parts: answers } }] })
}

/** Repeating a call that keeps failing in the same way would cost as much and change nothing. */
function stopIfStuck({ items, turn, scope, tell }: Work): void {
  const same = sameFailure(items, turn.id)
  if (same === undefined) return
  const why = `${same.tools.join(", ")} failed ${same.times} times in a row in the same way`
  scope.event("diagnostic", { level: "warn", data: { code: "same-failure", text: `${why}.`, ...same } })
  tell({ kind: "diagnostic", level: "warning", text: `${why}.` })
  throw new ModelFailure("stopped", `${why}; say "continue" to let it try again`)
}

function stopAtLimit({ step }: Work, most: number): void {
  if (step < most) return
  throw new ModelFailure(
    "stopped",
    `it reached the limit of ${step} steps; say "continue" to let it continue`,
  )
}

function callsOf(parts: readonly MessagePart[]): readonly ToolCall[] {
  return parts.filter((part) => part.kind === "tool-call")
}
