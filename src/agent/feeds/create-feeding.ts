// Runs the feeders that are switched on, for the person of the session, and returns the inputs of the turn's sections.
// Model calls for feeders run beside the turn, which never waits for them.
import type { Trust } from "../../base/trust.ts"
import type { Session } from "../../core/model/scope.ts"
import { classify } from "../../signal/classify.ts"
import { SIGNAL_GENRES, SIGNAL_MODES, type Signal } from "../../signal/signal.ts"
import { gatherWorkflows } from "../../sources/workflow-files.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { Runtime } from "../setup/runtime.ts"
import { type Aside, askAside } from "../turn/aside.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { type Bulletin, openBulletin } from "./bulletin.ts"
import { createEnricher, type Enricher } from "./enrich.ts"
import type { FeedFacts, Feeding } from "./feeding.ts"
import { feedSwitches, gatherFeeds } from "./feeds.ts"
import { openProfiler } from "./profiler.ts"
import { openTaskBoard } from "./tasks.ts"
import { isOnePerson, type Keeping, taskListOf } from "./who.ts"
import { openWorkflows, type Workflows } from "./workflow.ts"

/** `current`: the runtime that this becomes a part of, so it is not there yet. */
export function createFeeding(current: () => Runtime): Feeding {
  const bulletins = new Map<string, Bulletin>()
  /** Messages whose reading is being started, by message key. */
  const starting = new Map<string, FeedFacts>()
  const enricher = createEnricher({
    classify: async (key) => {
      const found = starting.get(key)
      return found && classified(current(), found)
    },
  })
  /** A reading made in one session is not used in another. */
  const enricherFor = (facts: FeedFacts): Pick<Enricher, "signal"> => {
    const key = JSON.stringify([facts.session.id, facts.waiting.message.text])
    starting.set(key, facts)
    if (facts.waiting.message.text.trim() !== "") enricher.start(key)
    starting.delete(key)
    return { signal: () => enricher.signal(key) }
  }
  const bulletinFor = (runtime: Runtime, facts: FeedFacts) => {
    const { who, trust } = facts.session
    // The model may have changed, and it decides whether a model writes the bulletin.
    const key = JSON.stringify([who, trust, runtime.model().isOffline])
    const bulletin = bulletins.get(key) ?? bulletinOf(runtime, facts)
    bulletins.set(key, bulletin)
    return bulletin
  }
  return {
    feed(facts) {
      const runtime = current()
      const { waiting, session, gathered, remaining } = facts
      const { text } = waiting.message
      const { store, memory, now } = runtime
      const isOn = feedSwitches(runtime.workspace().config)
      const keeping = { agent: session.agent, who: session.who, now }
      const profiler = openProfiler(store.database, keeping)
      // The agent itself writes the message of a delegated part; a scheduled one comes from the schedule.
      const isWritten = session.mode !== "subagent" && session.situation !== "system"
      const isTheirs = isWritten && isOnePerson(session.who)
      if (isOn.communication && !facts.isResumed && isTheirs) profiler.observe(text)
      const isEnriched = isOn.enrichment && !runtime.model().isOffline
      const bulletin = isOn.bulletin ? bulletinFor(runtime, facts) : undefined
      return gatherFeeds({
        message: text,
        who: session.who,
        trust: session.trust,
        session: taskOf(gathered.session),
        feeders: {
          ...(isOn.signal && { signal: isEnriched ? { enricher: enricherFor(facts) } : {} }),
          ...(isOn.recall && { recall: memory }),
          ...(isOn.tasks && {
            tasks: openTaskBoard(store.database, {
              ...{ ...keeping, who: taskListOf(session), trust: session.trust },
            }),
          }),
          ...(isOn.workflow && { workflow: workflowsOf(runtime, { ...keeping, trust: session.trust }) }),
          ...(isOn.communication && { communication: profiler }),
          ...(bulletin && { bulletin }),
          remaining: () => remaining,
        },
      })
    },
    async settled() {
      await Promise.all([
        enricher.settled(),
        ...[...bulletins.values()].map((bulletin) => bulletin.settled()),
      ])
    },
  }
}

export function workflowsOf(runtime: Runtime, keeping: Keeping & { readonly trust: Trust }): Workflows {
  return openWorkflows(runtime.store.database, {
    ...keeping,
    read: () => gatherWorkflows(runtime.workspace()),
  })
}

function taskOf({ task }: Session) {
  return task === undefined ? {} : { task }
}

function bulletinOf(runtime: Runtime, facts: FeedFacts): Bulletin {
  const { memory, store, now } = runtime
  const { agent, who, trust } = facts.session
  return openBulletin(store.database, {
    ...{ agent, who, trust, now, memory, counter: o200k },
    ...(!runtime.model().isOffline && {
      summarise: (instruction: string, material: string) =>
        aside(runtime, facts, { purpose: "bulletin", instruction, material }),
    }),
    trouble: (error) =>
      facts.scope.event("finding", { error: error instanceof Error ? error.message : String(error) }),
  })
}

const CLASSIFY = `Say how the message below reads, in two words with a blank between them. The first is what is wanted: ${SIGNAL_MODES.join(", ")}. The second is what its sender does by saying it: ${SIGNAL_GENRES.join(", ")}.`

async function classified(runtime: Runtime, facts: FeedFacts): Promise<Signal | undefined> {
  const { text: message } = facts.waiting.message
  const said = await aside(runtime, facts, { purpose: "signal", instruction: CLASSIFY, material: message })
  const words = said.toLowerCase().split(/\s+/)
  const mode = SIGNAL_MODES.find((known) => words.includes(known))
  const genre = SIGNAL_GENRES.find((known) => words.includes(known))
  const channel = facts.waiting.message.channel ?? "terminal"
  return mode === undefined || genre === undefined
    ? undefined
    : { ...classify(message, { channel }), mode, genre }
}

const ASIDE_TOKENS = 400

type Question = Pick<Aside, "purpose" | "instruction" | "material">

async function aside(runtime: Runtime, facts: FeedFacts, question: Question): Promise<string> {
  const { gathered, waiting, scope } = facts
  const turn = { id: waiting.turn, now: runtime.now(), timeZone: runtime.timeZone }
  const ask = () =>
    askAside(runtime, {
      ...question,
      ...{ turn, scope, signal: NEVER_STOPPED, maxTokens: ASIDE_TOKENS },
      ...{ agent: gathered.agent, session: gathered.session },
    })
  const { text } = await runtime.gate(runtime.model().id).pass(ask, NEVER_STOPPED)
  return text
}
