// Takes the results of tools that a sender runs, and continues the turn that waits for them.
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import type { ClientCall, ClientResult } from "../../database/contract/client-tools.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { StoredWait } from "../../database/contract/waits.ts"
import type { RunningAgent } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import { answerIn, callIn } from "../turn/calls/client-call.ts"
import { replyWithoutSteps, senderOf } from "../turn/work.ts"
import { answerTo, type SendServices, sentReply } from "./send.ts"

export function createResolve(services: SendServices): RunningAgent["resolve"] {
  const { workspace, store, people, queue } = services
  return async (turn, results, given = {}) => {
    checkResults(results)
    await workspace.refresh()
    const waiting = await store.inbox.message(turn)
    // Report another sender's turn as missing, so that its existence is not revealed.
    if (waiting === undefined || !isSame(senderOf(waiting.message), senderOf(given)))
      throw new IncipitError("not-waiting", `there is no turn "${turn}" of this sender`)
    return queue.whileAwaited(turn, async () => {
      const left = await handIn(services, waiting, results)
      if (left.length === 0) return answerTo(services, waiting, given)
      const made = { ...replyWithoutSteps(waiting, "waiting", ""), calls: left, prompt: undefined }
      return sentReply(people, { waiting, session: await store.sessions.facts(waiting.session), made })
    })
  }
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the calls that still have no result. */
async function handIn(
  { store, secrets }: Pick<Services, "store" | "secrets">,
  { turn }: Waiting,
  results: readonly ClientResult[],
): Promise<readonly ClientCall[]> {
  // The turn is over: a repeated report gets the answer that it has.
  if ((await store.outbox.reply(turn)) !== undefined) return []
  const waits = (await store.waits.of(turn)).filter(({ kind }) => kind === "client-tools")
  const reported = results.map((result) => ({ result, wait: waitFor(waits, turn, result) }))
  for (const { result, wait } of reported) {
    if (wait.answer !== undefined) continue
    const { id, text, isError = false } = secrets.within(result)
    const outcome = await store.waits.resolve(wait.id, JSON.stringify({ id, text, isError }))
    if (outcome === "expired") throw tooLate(turn)
  }
  if ((await store.inbox.message(turn))?.state !== "suspended") return []
  return (await store.waits.of(turn)).filter(({ answer }) => answer === undefined).map(callIn)
}

/** The newest one, since a model may use an id again. */
function waitFor(waits: readonly StoredWait[], turn: string, { id }: ClientResult): StoredWait {
  const found = waits.findLast((wait) => callIn(wait).id === id)
  if (found === undefined)
    throw new IncipitError("bad-tool-results", `the turn "${turn}" has no open call "${id}"`)
  if (found.answer !== undefined && answerIn(found) === undefined) throw tooLate(turn)
  return found
}

function tooLate(turn: string): IncipitError {
  return new IncipitError("not-waiting", `the results for the turn "${turn}" came too late`)
}

/** Programs pass on what they got over the network. */
function checkResults(results: unknown): void {
  if (!Array.isArray(results)) throw new IncipitError("bad-tool-results", "the results aren't a list")
  for (const [at, result] of results.entries()) {
    const { id, text, isError } = isRecord(result) ? result : {}
    if (typeof id !== "string" || typeof text !== "string")
      throw new IncipitError("bad-tool-results", `result ${at + 1} needs an id and a text`)
    if (isError !== undefined && typeof isError !== "boolean")
      throw new IncipitError("bad-tool-results", `isError of result ${at + 1} must be true or false`)
  }
}
