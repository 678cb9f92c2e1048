// What the running agent feeds into a turn, each from its own feeder and each able to be absent. A feeder that fails
// costs its own section and is told of; the turn goes on without it.
import type { Trust } from "../../base/trust.ts"
import type { Memory } from "../../memory/memory.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { Bulletin } from "./bulletin.ts"
import type { Enricher } from "./enrich.ts"
import type { Profiler } from "./profiler.ts"
import type { Tasks } from "./tasks.ts"
import { isOnePerson } from "./who.ts"
import type { Workflows } from "./workflow.ts"

/** Those that are off, or that there is nothing for, are left out. */
export interface Feeders {
  /** How the message reads as a model said, if it has already. Without an enricher the profile's rules read it. */
  readonly signal?: { readonly enricher?: Pick<Enricher, "signal"> }
  readonly recall?: Pick<Memory, "recall">
  readonly tasks?: Pick<Tasks, "told">
  readonly workflow?: Pick<Workflows, "told">
  readonly communication?: Pick<Profiler, "profile">
  readonly bulletin?: Pick<Bulletin, "lines">
  /** Tokens that are left in the conversation. */
  readonly remaining?: () => number | undefined
}

export interface FeedOptions {
  readonly message: string
  readonly who: string
  /** The effective one. */
  readonly trust: Trust
  readonly session: { readonly task?: string }
  readonly feeders: Feeders
}

export interface Feeds {
  /** Inputs of the turn by name. */
  readonly inputs: Readonly<Record<string, unknown>>
  readonly troubles: readonly FeedTrouble[]
}

export interface FeedTrouble {
  readonly feed: keyof Feeders
  readonly error: string
}

const RECALL_TOKENS = 300

export function gatherFeeds(options: FeedOptions): Feeds {
  const { who, session, feeders } = options
  const troubles: FeedTrouble[] = []
  const tell = (feed: keyof Feeders) => (error: string) => troubles.push({ feed, error })
  // What was learned of one person is not for a room of others.
  const personal = isOnePerson(who) ? feeders : {}
  const found: Readonly<Record<keyof Feeders, () => unknown>> = {
    signal: () => signalOf(options),
    recall: () => recalled(options, tell("recall")),
    tasks: () => filled(feeders.tasks?.told(session.task)),
    workflow: () => feeders.workflow?.told(),
    communication: () => personal.communication?.profile(),
    bulletin: () => filled(personal.bulletin?.lines()),
    remaining: () => feeders.remaining?.(),
  }
  const inputs = Object.entries(found).flatMap(([feed, read]) => {
    try {
      const value = read()
      return value === undefined ? [] : [[feed, value] as const]
    } catch (error) {
      // The key is one of the table above.
      tell(feed as keyof Feeders)(error instanceof Error ? error.message : String(error))
      return []
    }
  })
  return { inputs: Object.fromEntries(inputs), troubles }
}

/** Only what a model said: by its own rules a profile reads the message itself. `false` keeps it from doing so. */
function signalOf({ message, feeders: { signal } }: FeedOptions): unknown {
  return signal === undefined ? false : signal.enricher?.signal(message)
}

/** What is found in an index that is behind is told all the same. */
function recalled({ message, trust, feeders }: FeedOptions, tell: (error: string) => void): unknown {
  if (message.trim() === "") return undefined
  const { status, reason, text } = feeders.recall?.recall(message, { trust, budget: RECALL_TOKENS }) ?? {}
  if (status === "error" || status === "degraded") tell(reason ?? status)
  return text === "" ? undefined : text
}

function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list
}

/** What is on: everything but noise and enrichment, unless the configuration says otherwise. */
export function feedSwitches({ feeds = {} }: Pick<Config, "feeds">) {
  const isOn = (name: keyof typeof feeds, usual: boolean) => {
    const value = feeds[name]
    return value === undefined ? usual : value === "on" || value === true
  }
  return {
    signal: isOn("signal", true),
    recall: isOn("recall", true),
    tasks: isOn("tasks", true),
    workflow: isOn("workflow", true),
    communication: isOn("communication", true),
    bulletin: isOn("bulletin", true),
    noise: isOn("noise", false),
    enrichment: isOn("enrichment", false),
  }
}
