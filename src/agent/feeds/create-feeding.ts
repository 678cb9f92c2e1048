// Makes the feeders of a running agent: the part that asks a model or writes. `read-feeds.ts` reads them. No turn waits
// for a feeder's model.
import type { WhoseAtTrust } from "../../database/contract/people.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Scope } from "../../record/write/scope.ts"
import { classify } from "../../signal/classify.ts"
import { SIGNAL_GENRES, SIGNAL_MODES, type Signal } from "../../signal/signal.ts"
import { feedSwitches } from "../../sources/config/feed-switches.ts"
import { gatherWorkflows } from "../../sources/workflow-files.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { Services } from "../setup/services.ts"
import { payerOf } from "../spending/payer.ts"
import type { Aside } from "../turn/aside.ts"
import type { Asking } from "../turn/ask.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { type Bulletin, openBulletin, type Summariser } from "./bulletin.ts"
import { createEnricher } from "./enrich.ts"
import type { FedTurn, Feeding } from "./feeding.ts"
import { openProfiler } from "./profiler.ts"
import { isOwnText, readFeeds } from "./read-feeds.ts"
import { openWorkflows, type Workflows } from "./workflow.ts"

export interface FeedingServices
  extends Pick<Services, "store" | "memory" | "workspace" | "models" | "clock"> {
  readonly asking: Pick<Asking, "aside">
}

export function createFeeding(services: FeedingServices): Feeding {
  const { store, memory, workspace, models, clock } = services
  const bulletins = new Map<string, Bulletin>()
  /** Messages whose reading is being started, by message key. */
  const starting = new Map<string, FedTurn>()
  const enricher = createEnricher({
    classify: async (key) => {
      const found = starting.get(key)
      return found && classified(services, found)
    },
  })
  const bulletinFor = ({ session: { agent, who, trust } }: FedTurn) => {
    const key = JSON.stringify([agent, who, trust])
    const known = bulletins.get(key)
    if (known !== undefined) return known
    const opened = openBulletin(store, {
      ...{ agent, who, trust, now: clock.now, memory, counter: o200k },
    })
    bulletins.set(key, opened)
    return opened
  }
  return {
    read(facts) {
      const key = keyOf(facts.session, facts.message)
      return readFeeds(services, facts, { signal: () => enricher.signal(key) })
    },
    beginTurn(turn) {
      const { text } = turn.waiting.message
      const { signal, enrichment } = feedSwitches(workspace.current().config)
      if (!signal || !enrichment || models.current().isOffline || text.trim() === "") return
      if (isPart(turn)) return
      const key = keyOf(turn.session, text)
      starting.set(key, turn)
      enricher.start(key)
      starting.delete(key)
    },
    async afterTurn({ feeds, ...turn }) {
      const { session, waiting, scope } = turn
      const { agent, who } = session
      const isOn = feedSwitches(workspace.current().config)
      if (isOn.communication && isOwnText(session))
        await guarded(scope, "communication", () =>
          openProfiler(store, { agent, who, now: clock.now }).observe(waiting.message.text),
        )
      const { bulletin } = feeds
      if (isOn.bulletin && bulletin !== undefined && !isPart(turn))
        await guarded(scope, "bulletin", () =>
          bulletinFor(turn).afterTurn(bulletin, summariserOf(services, turn)),
        )
    },
    async settled() {
      await Promise.all([
        enricher.settled(),
        ...[...bulletins.values()].map((bulletin) => bulletin.settled()),
      ])
    },
  }
}

/** A step waits until the agent of a delegated part is closed, and must not wait for its feeders' models. */
function isPart({ session }: FedTurn): boolean {
  return session.mode === "subagent"
}

/** A reading made in one session is not used in another. */
function keyOf({ id }: StoredSession, message: string): string {
  return JSON.stringify([id, message])
}

/** The answer is stored already, and no feeder may affect it. */
async function guarded(scope: Scope, feed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    scope.event("diagnostic", { error: `${feed}: ${messageOf(error)}`, data: { code: "feed-failed", feed } })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function workflowsOf(
  { store, workspace }: Pick<Services, "store" | "workspace">,
  whose: WhoseAtTrust,
): Workflows {
  return openWorkflows(store, {
    ...whose,
    read: () => gatherWorkflows(workspace.current()),
  })
}

function summariserOf(services: AsideServices, turn: FedTurn): Summariser | undefined {
  if (services.models.current().isOffline) return undefined
  return {
    summarise: (instruction, material) =>
      aside(services, turn, { purpose: "bulletin", instruction, material }),
    trouble: (error) => turn.scope.event("diagnostic", { error: messageOf(error) }),
  }
}

const CLASSIFY = `Classify the message below in two words with a space between them. The first is what the sender wants: ${SIGNAL_MODES.join(", ")}. The second is what the message does: ${SIGNAL_GENRES.join(", ")}.`

async function classified(services: AsideServices, facts: FedTurn): Promise<Signal | undefined> {
  const { text: message } = facts.waiting.message
  const said = await aside(services, facts, { purpose: "signal", instruction: CLASSIFY, material: message })
  const words = said.toLowerCase().split(/\s+/)
  const mode = SIGNAL_MODES.find((known) => words.includes(known))
  const genre = SIGNAL_GENRES.find((known) => words.includes(known))
  const channel = facts.waiting.message.channel ?? "terminal"
  return mode === undefined || genre === undefined
    ? undefined
    : { ...classify(message, { channel }), mode, genre }
}

const ASIDE_TOKENS = 400

type AsideServices = Pick<FeedingServices, "asking" | "models" | "clock" | "workspace">

type Question = Pick<Aside, "purpose" | "instruction" | "material">

async function aside(
  { asking, models, clock, workspace }: AsideServices,
  facts: FedTurn,
  question: Question,
): Promise<string> {
  const { gathered, waiting, scope } = facts
  const turn = { id: waiting.turn, now: clock.now(), timeZone: clock.timeZone }
  const model = models.current()
  const { trust } = gathered.session.audience
  const payer = payerOf(workspace.current().config, { session: facts.session, waiting, trust })
  const ask = () =>
    asking.aside({
      ...question,
      ...{ turn, scope, signal: NEVER_STOPPED, model, payer, maxTokens: ASIDE_TOKENS },
      ...{ agent: gathered.agent, session: gathered.session },
    })
  const { text } = await models.gate(model.id).pass(ask, NEVER_STOPPED)
  return text
}
