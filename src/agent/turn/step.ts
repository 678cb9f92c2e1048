// One step of a turn: compiles the prompt, asks the model, and shortens or mends a conversation that the provider
// refuses, or asks a second model. Never sends the same request twice.
import type { Item } from "../../database/contract/transcripts.ts"
import { giveWay } from "../inbox/give-way.ts"
import type { Services } from "../setup/services.ts"
import type { Asked, Asking } from "./ask.ts"
import type { ToolCalls } from "./calls/tool-calls.ts"
import type { Compaction } from "./compaction/compact.ts"
import { isHandedOver } from "./fall-back.ts"
import type { Prompts } from "./prompt/compile.ts"
import { isLateRefused } from "./prompt/late-system.ts"
import { ModelFailure } from "./provider/call.ts"
import { removeRefusedMessage } from "./remove-refused-message.ts"
import type { Work } from "./work.ts"

export interface StepServices extends Pick<Services, "store" | "clock" | "models" | "hooks" | "secrets"> {
  readonly prompts: Pick<Prompts, "compileStep" | "gather">
  readonly asking: Pick<Asking, "ask">
  readonly compaction: Compaction
  readonly toolCalls: Pick<ToolCalls, "shortenResults">
}

/** The most messages to leave out of one request; a provider that refuses more refuses everything. */
const MOST_REMOVED = 5

/**
 * Returns the model's answer. A conversation that turns out too long is shortened, each way once, and a message that the
 * provider names as the reason for a refusal is left out. `opening`: the items that the step adds.
 */
export async function takeStep(services: StepServices, work: Work, opening: readonly Item[]): Promise<Asked> {
  await services.compaction.ifFull(work, opening)
  let items = opening
  let removed = 0
  for (const ways = waysToShorten(services); ; items = []) {
    try {
      return await compileAndAsk(services, work, items)
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      if (isLateRefused(work, error, work.model)) continue
      if (await isHandedOver(services, work, error)) continue
      const isTooLong = error.kind === "too-long"
      const mayRetry = isTooLong
        ? await isMadeShorter(work, ways)
        : removed < MOST_REMOVED && (await removeRefusedMessage(services, work, error))
      if (!mayRetry) throw error
      removed += isTooLong ? 0 : 1
    }
  }
}

async function compileAndAsk(
  { prompts, asking, hooks, secrets }: StepServices,
  work: Work,
  opening: readonly Item[],
): Promise<Asked> {
  await giveWay()
  const compiled = await prompts.compileStep(work, opening)
  const { gathered, turn, signal, step } = work
  const event = { session: gathered.seen.session, turn, step, messages: compiled.messages }
  const messages = await hooks.context(event, signal)
  const isUnchanged = messages === compiled.messages
  return asking.ask(work, { ...compiled, messages: secrets.within(messages) }).catch((error: unknown) => {
    // A conversation changed by a hook is numbered differently.
    if (error instanceof ModelFailure && !isUnchanged) error.fault = undefined
    throw error
  })
}

/** Shortens a request that is too long for the model. Returns whether it changed anything. */
type Shorten = (work: Work) => Promise<boolean>

function waysToShorten({ compaction, toolCalls }: StepServices): Shorten[] {
  return [
    (work) => compaction.now(work, "the model refused it as too long", { isRefused: true }),
    toolCalls.shortenResults,
  ]
}

/** Removes ways from the list up to the first that helps. */
async function isMadeShorter(work: Work, ways: Shorten[]): Promise<boolean> {
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) if (await way(work)) return true
  return false
}
