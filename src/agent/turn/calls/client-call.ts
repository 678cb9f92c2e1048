// Calls of tools that the sender of the message runs. Such a call is asked for when the model makes it, and has a result
// once the sender has reported one or the time for it is over. In between, the turn is suspended.
import type { ClientCall, ClientResult, ClientTool } from "../../../database/contract/client-tools.ts"
import type { ToolResult } from "../../../database/contract/runs.ts"
import type { StoredWait } from "../../../database/contract/waits.ts"
import type { Services } from "../../setup/services.ts"
import type { Work } from "../work.ts"
import { isPlanning, PLAN_MODE_IS_ON } from "./plan-mode-guard.ts"
import { CHANGED } from "./tool-context.ts"

/** A call that the sender has to run, and the name of the wait for its result. */
export interface AskedCall {
  readonly wait: string
  readonly call: ClientCall
}

/** Thrown when all other calls of a step are done: the turn cannot go on without the sender. */
export class WaitsForClient extends Error {
  override readonly name = "WaitsForClient"
  readonly asked: readonly AskedCall[]

  constructor(asked: readonly AskedCall[]) {
    super("the turn waits for tools that its sender runs")
    this.asked = asked
  }
}

type HasClientTools = { readonly clientTools?: readonly ClientTool[] }

/** A tool of the sender takes the place of ours with the same name: it is the one that the sender knows. */
export function withClientTools<T extends ClientTool>(
  own: readonly T[],
  { clientTools = [] }: HasClientTools,
): readonly (T | ClientTool)[] {
  const names = new Set(clientTools.map(({ name }) => name))
  return [...own.filter(({ name }) => !names.has(name)), ...clientTools]
}

export function isClientTool({ waiting }: Pick<Work, "waiting">, name: string): boolean {
  return waiting.message.clientTools?.some((tool) => tool.name === name) === true
}

/** What the turn has asked its sender for so far. */
export async function clientWaits(
  { waits }: Pick<Services["store"], "waits">,
  { waiting: { message, turn } }: Pick<Work, "waiting">,
): Promise<readonly StoredWait[]> {
  return message.clientTools === undefined ? [] : waits.of(turn)
}

/** The result as the sender reported it; undefined if they reported none in time. */
export function answerIn({ answer = "null" }: Pick<StoredWait, "answer">): ClientResult | undefined {
  // Only `resolve` writes the answer, from a value of this type.
  return (JSON.parse(answer) as ClientResult | null) ?? undefined
}

export function callIn({ request }: Pick<StoredWait, "request">): ClientCall {
  // Only `suspend` writes the request, from a value of this type.
  return JSON.parse(request) as ClientCall
}

const NO_ANSWER: ToolResult = {
  text: "No result: the client did not report one in time. The call may have taken effect; check before you repeat it.",
  isError: true,
}

export interface ClientRun extends ClientCall {
  /** The number under which the run is stored. */
  readonly run: string
  readonly waits: readonly StoredWait[]
}

export type ClientOutcome =
  | AskedCall
  | (ToolResult & { readonly refused?: "plan-mode"; readonly startedAt?: number })

/** The run counts as started before anybody is asked: from then on it may have taken effect. */
export async function clientResult(
  { store, hooks, people }: Pick<Services, "store" | "hooks" | "people">,
  work: Work,
  { id, name, input, run, waits }: ClientRun,
): Promise<ClientOutcome> {
  const { turn, gathered, session, signal, lease } = work
  // A message may move to another session, where the numbers begin again.
  const wait = [turn.id, session.id, run].join(":")
  const event = { session: gathered.seen.session, turn, id, name }
  await store.runs.start(lease, { turn: turn.id, call: run })
  const asked = waits.find((one) => one.id === wait)
  if (asked !== undefined) {
    const { text, isError = false } = answerIn(asked) ?? NO_ANSWER
    const result = await hooks.toolResult({ ...event, input: callIn(asked).input, text, isError }, signal)
    return { ...result, startedAt: asked.at }
  }
  // What a client's tool does is unknown, so it counts as one that changes something.
  if (await isPlanning(store, work)) return { text: PLAN_MODE_IS_ON, isError: true, refused: "plan-mode" }
  const wanted = await hooks.toolCall({ ...event, input }, signal)
  if (wanted.block !== undefined) return { text: `Not run: ${wanted.block.why}`, isError: true }
  if (signal.aborted) return { text: "Not run: it was stopped.", isError: true }
  if (!people.isCurrent(session, work.waiting.message)) return { text: CHANGED, isError: true }
  return { wait, call: { id, name, input: wanted.input } }
}
