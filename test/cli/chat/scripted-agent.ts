// An agent that does what a script says, for tests of the chat: it tells the events of each turn in order, asks for
// approval where the script has it, and waits where the script pauses until it is told to go on, or to stop.

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openStream } from "../../../src/agent/inbox/stream.ts"
import type { Model } from "../../../src/agent/models/model.ts"
import type { RunningAgent, SendOptions } from "../../../src/agent/setup/agent.ts"
import type { LiveEvent, SentReply } from "../../../src/agent/turn/live-event.ts"
import { IncipitError } from "../../../src/base/error.ts"
import type { AgentCallbacks } from "../../../src/cli/chat/terminal-chat.ts"
import type { ReplyState, StepCost } from "../../../src/database/contract/reply.ts"
import { openMemory } from "../../../src/memory/memory.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import { inputOf } from "../../../src/render/cache/price.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import type { ApprovalRequest } from "../../../src/tools/host.ts"
import type { ServerForm } from "../../../src/tools/server-question.ts"
import { NIGHT_MODEL, writeNight } from "../../record/night.ts"
import { samplePrompt, TOOLS } from "../../render/sample.ts"

export type Action =
  /** Pieces of the answer, so many units at a time. */
  | { readonly text: string; readonly by?: number }
  | { readonly event: LiveEvent }
  | { readonly approve: ApprovalRequest }
  /** A form of a server; the answer is told as the server gets it. */
  | { readonly fill: ServerForm }
  | { readonly pause: true }
  | { readonly cost: StepCost }
  | { readonly end: ReplyState; readonly says?: string }
  | { readonly notify: string }

export interface Script {
  readonly model?: string
  readonly isOffline?: boolean
  /** What earlier turns left undone. */
  readonly resumes?: readonly Action[]
  readonly turns: readonly (readonly Action[])[]
}

export interface World {
  readonly folder: string
  readonly now: () => number
  /** Time passes with every action. */
  readonly pass: () => void
  /** Resolves when a pause is over. */
  readonly goOn: () => Promise<void>
}

const NO_COST: StepCost = {
  usage: { uncached: 0, read: 0, write: {}, output: 0 },
  costUsd: 0,
  isSimulated: false,
}

export async function openScripted(
  script: Script,
  given: AgentCallbacks,
  world: World,
): Promise<RunningAgent> {
  await writeNight(join(world.folder, "record.db"), ["t1", "t2", "t3"])
  const record = openRecord(join(world.folder, "record.db"))
  const memory = memoryIn(world.folder)
  let model = scriptedModel(script.model ?? NIGHT_MODEL, script.isOffline ?? false)
  let turns = 0
  const play = async (
    actions: readonly Action[],
    message: string,
    options: SendOptions,
    isResumed: boolean,
  ) => {
    const { observe: tell = () => {}, signal } = options
    turns += 1
    const turn = `t${turns}`
    let cost = NO_COST
    let state: ReplyState = "answered"
    let text = ""
    tell({ kind: "turn-started", turn, session: "abc", isResumed })
    for (const action of actions) {
      if (signal?.aborted) {
        state = "stopped"
        break
      }
      world.pass()
      if ("text" in action) {
        const by = action.by ?? action.text.length
        for (let at = 0; at < action.text.length; at += by)
          tell({ kind: "text", text: action.text.slice(at, at + by) })
        text += action.text
      } else if ("event" in action) tell(action.event)
      else if ("notify" in action) given.notify?.(action.notify, {})
      else if ("pause" in action) await Promise.race([world.goOn(), aborted(signal)])
      else if ("approve" in action) {
        const stopping = signal ?? new AbortController().signal
        const asker = { signal: stopping, session: "abc", from: {}, id: "question" }
        const answer = (await given.approve?.(action.approve, asker)) ?? "no"
        tell({ kind: "text", text: `The answer was ${answer}.\n\n` })
        // A model takes longer to go on than somebody who stops it.
        await new Promise(setImmediate)
      } else if ("fill" in action) {
        const stopping = signal ?? new AbortController().signal
        const asker = { signal: stopping, session: "abc", from: {}, id: "question" }
        const answer = await given.fill?.(action.fill, asker)
        tell({ kind: "text", text: `The server got \`${JSON.stringify(answer)}\`.\n\n` })
        await new Promise(setImmediate)
      } else if ("end" in action) {
        state = action.end
        text = action.says ?? text
      } else {
        cost = { ...action.cost }
        tell({ kind: "step-finished", step: 1, calls: 0, cost })
      }
    }
    if (signal?.aborted) state = "stopped"
    const echoed =
      actions.length === 0 ? `${message.length} characters in ${message.split("\n").length} lines.` : text
    const reply: SentReply = {
      state,
      text: echoed,
      turn,
      session: "abc",
      steps: 1,
      cost,
      durationMs: 1_000,
      prompt: samplePrompt(),
    }
    const { prompt: _plan, ...told } = reply
    tell({ kind: "turn-finished", reply: told })
    return reply
  }
  return {
    name: "Keeper",
    nameFor: async () => "Keeper",
    get model() {
      return model
    },
    record,
    memory,
    send: (message, options = {}) => play(script.turns[turns] ?? [], message, options, false),
    stream: (message, options) =>
      openStream((tell) => play(script.turns[turns] ?? [], message, { ...options, tell }, false)),
    resolve: () => Promise.reject(new Error("no turn of the chat waits for its client")),
    queue: {
      list: async () => [],
      retry: () => Promise.reject(new Error("nothing is queued")),
      drop: () => Promise.reject(new Error("nothing is queued")),
    },
    async resume(observe, signal) {
      if (script.resumes === undefined || turns > 0) return []
      return [
        await play(script.resumes, "", { ...(observe && { observe }), ...(signal && { signal }) }, true),
      ]
    },
    refresh: async () => {},
    sessionFacts: async () => undefined,
    sessions: async () => [
      {
        id: "abc",
        who: "owner",
        situation: "dm",
        trust: "full",
        createdAt: 0,
        usedAt: Date.UTC(2026, 5, 14),
        turns: 3,
        title: "Tides for the week",
      },
    ],
    session: unscripted,
    preview: async () => samplePrompt(),
    inspect: unscripted,
    reload: async () => {},
    async useModel(id) {
      if (!id.includes("/")) throw new IncipitError("bad-argument", `"${id}" is no provider/model`)
      model = scriptedModel(id, false)
    },
    async compact(_session, tell) {
      tell?.({ kind: "compacted", from: 90_000, to: 4_000, lost: [] })
    },
    shell: async (command) => ({
      session: "abc",
      text: `\u001b[32mran\u001b[0m ${command}\n`,
      exitCode: 0,
      durationMs: 12,
    }),
    skills: async () => [],
    prompts: () => [],
    promptText: () => undefined,
    notices: async () => [],
    setActiveTools: unscripted,
    sendMessage: unscripted,
    setPlanMode: async () => {},
    keepSchedule: unscripted,
    kept: unscripted,
    fork: unscripted,
    undo: unscripted,
    stop: unscripted,
    conversations: {
      ...{ place: unscripted, remember: unscripted, find: unscripted },
      ...{ begin: unscripted, branch: unscripted },
    },
    tools: () => TOOLS,
    users: () => ["bob"],
    spending: async () => [],
    async close() {
      await memory.close()
      await record.close()
    },
  }
}

function unscripted(): never {
  throw new Error("a script has no part for that")
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }))
}

function scriptedModel(id: string, isOffline: boolean): Model {
  return {
    id,
    toolFormat: "native",
    rule: ruleFor(id),
    isOffline,
    price: () => null,
    language: () => {
      throw new Error("a script asks no provider")
    },
  }
}

function memoryIn(folder: string) {
  const store = join(folder, "memory", "shared")
  mkdirSync(store, { recursive: true })
  writeFileSync(join(store, "TIDES.md"), "# Tides\n\nHigh water at Skagen is at 14:20.\n")
  return openMemory({
    stores: [{ name: "shared", trust: "inner", folder: store }],
    index: join(folder, "memory.db"),
    counter: o200k,
  })
}

/** The cost of a step with so much input, of which so much was read. */
export function stepCost(input: number, read: number, isSimulated = false): StepCost {
  const usage = { uncached: input - read, read, write: {}, output: 200 }
  return { usage, costUsd: inputOf(usage) / 1_000_000, isSimulated }
}
