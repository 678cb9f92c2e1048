// What the running agent feeds into a turn. Each input comes from one feeder and may be absent. A feeder that fails
// loses only its own section; the failure is reported and the turn continues.
import type { Trust } from "../../base/trust.ts"
import { feed, type Inputs } from "../../core/model/section-input.ts"
import type { Memory } from "../../memory/memory.ts"
import { RECALL_TOKENS } from "../../memory/recall.ts"
import {
  bulletinInput,
  communicationInput,
  recallInput,
  remainingInput,
  signalInput,
  tasksInput,
  workflowInput,
} from "../../profiles/inputs.ts"
import type { Signal } from "../../signal/signal.ts"
import type { BulletinReading } from "./bulletin.ts"
import type { Enricher } from "./enrich.ts"
import { isOnePerson } from "./feed-owner.ts"
import type { Profiler } from "./profiler.ts"
import type { Tasks } from "./tasks.ts"
import type { Workflows } from "./workflow.ts"

/**
 * How a prompt reads each feeder. A preview does the same, so no method may have effects: no model request, no write,
 * no claim of work. Feeders that are off, or have nothing to work with, are left out.
 */
export interface Feeders {
  /**
   * A model's reading of the message, if it has arrived. Without an enricher, the profile reads the message by its
   * rules.
   */
  readonly signal?: { readonly enricher?: Pick<Enricher, "signal"> }
  readonly recall?: Pick<Memory, "recall">
  readonly tasks?: Pick<Tasks, "forPrompt">
  readonly workflow?: Pick<Workflows, "forPrompt">
  readonly communication?: Pick<Profiler, "profile">
  readonly bulletin?: { read(): Promise<BulletinReading> }
  /** Tokens left in the conversation. */
  readonly remaining?: () => number | undefined
}

export interface FeedOptions {
  readonly message: string
  readonly who: string
  /** The effective trust. */
  readonly trust: Trust
  readonly session: { readonly task?: string }
  readonly feeders: Feeders
  /** Of the memory that feeders read. Default: each looks at its files by itself. */
  readonly inOneLook?: Memory["inOneLook"]
}

export interface Feeds {
  readonly inputs: Inputs<"turn">
  readonly troubles: readonly FeedTrouble[]
  /** Also says what to do after the turn. */
  readonly bulletin: BulletinReading | undefined
}

export interface FeedTrouble {
  readonly feed: keyof Feeders
  readonly error: string
}

export async function gatherFeeds(options: FeedOptions): Promise<Feeds> {
  const { who, session, feeders } = options
  const troubles: FeedTrouble[] = []
  const tell = (feed: keyof Feeders) => (error: string) => troubles.push({ feed, error })
  // What was learned about one person is not used in a room with others.
  const personal = isOnePerson(who) ? feeders : {}
  const memory = lookedUp(options, () => ({
    recall: begun(() => recalled(options, tell("recall"))),
    bulletin: begun(() => personal.bulletin?.read()),
  }))
  let bulletin: BulletinReading | undefined
  const found: Readonly<Record<keyof Feeders, () => Inputs<"turn"> | Promise<Inputs<"turn">>>> = {
    signal: () => feed(signalInput, signalOf(options)),
    recall: async () => feed(recallInput, await memory.recall),
    tasks: async () => feed(tasksInput, filled(await feeders.tasks?.forPrompt(session.task))),
    workflow: async () => feed(workflowInput, await feeders.workflow?.forPrompt()),
    communication: async () => feed(communicationInput, await personal.communication?.profile()),
    bulletin: async () => {
      bulletin = await memory.bulletin
      if (bulletin?.trouble !== undefined) tell("bulletin")(bulletin.trouble)
      return feed(bulletinInput, filled(bulletin?.lines))
    },
    remaining: () => feed(remainingInput, feeders.remaining?.()),
  }
  const inputs: Inputs<"turn"> = {}
  for (const [name, read] of Object.entries(found)) {
    try {
      Object.assign(inputs, await read())
    } catch (error) {
      // The key comes from the table above.
      tell(name as keyof Feeders)(error instanceof Error ? error.message : String(error))
    }
  }
  return { inputs, troubles, bulletin }
}

/** If memory cannot be looked at, each feeder says so for itself. */
function lookedUp<T>({ inOneLook }: FeedOptions, ask: () => T): T {
  try {
    return inOneLook === undefined ? ask() : inOneLook(ask)
  } catch {
    return ask()
  }
}

/** Begins to read at once. A failure is for whoever awaits it. */
function begun<T>(read: () => T | Promise<T>): Promise<T> {
  const reading = (async () => read())()
  reading.catch(() => {})
  return reading
}

/** Returns only a model's reading, since a profile applies its own rules. `false` switches that off. */
function signalOf({ message, feeders: { signal } }: FeedOptions): Signal | false | undefined {
  return signal === undefined ? false : signal.enricher?.signal(message)
}

/** Uses search results even if the index is out of date. */
function recalled(
  { message, trust, feeders }: FeedOptions,
  tell: (error: string) => void,
): string | undefined {
  if (message.trim() === "") return undefined
  const { status, reason, text } = feeders.recall?.recall(message, { trust, budget: RECALL_TOKENS }) ?? {}
  if (status === "error" || status === "degraded") tell(reason ?? status)
  return text === "" ? undefined : text
}

function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list
}
