// Opens what an agent consists of: its workspace, its state, its store, its event sinks and its model.
import { resolve } from "node:path"
import process from "node:process"
import { waitingIn } from "../../approval/approvable.ts"
import { defined } from "../../base/defined.ts"
import { IncipitError } from "../../base/error.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import { openAgentStore } from "../../database/open-agent-store.ts"
import type { StoreOptions } from "../../database/sqlite/agent/open-store.ts"
import { stateFiles } from "../../files/paths.ts"
import { createSecrets } from "../../record/redact/secrets.ts"
import { realFolder } from "../../sources/workspace.ts"
import { chosenDatabase } from "../../workspace/chosen-database.ts"
import type { SharedDocuments } from "../../workspace/documents/shared-documents.ts"
import { foundStateText, openState } from "../../workspace/state/state.ts"
import { createIds } from "../inbox/ids.ts"
import { enter } from "../inbox/owner.ts"
import { chooseModel } from "../models/choose-model.ts"
import type { Model } from "../models/model.ts"
import { openModel } from "../models/models.ts"
import { offlineModel } from "../offline/offline.ts"
import { openEventSinks } from "../storage/event-sinks.ts"
import { type Keeping, keepingOf, needsStateDirectory } from "../storage/keeping.ts"
import { storeClock } from "../storage/store-clock.ts"
import type { AgentOptions, Limits } from "./agent.ts"
import { knownSecrets } from "./known-secrets.ts"
import type { Opened } from "./opened.ts"
import type { DescribedOptions } from "./prompt-agent.ts"
import { type Current, watchWorkspace, withDocuments, withoutWorkspace } from "./watch-workspace.ts"

const LIMITS: Limits = {
  ...{ idleMs: 120_000, toolMs: 600_000, hookMs: 5_000, serverMs: 15_000, steps: 50 },
  clientMs: 600_000,
}

/** From the agent that delegates to this one. */
export interface LentParts {
  readonly model: Model
  /** The store that is gone with that agent, if it has one. */
  readonly store: AgentStore | undefined
}

export async function openParts(options: DescribedOptions, lent: LentParts | undefined): Promise<Opened> {
  const { now: ownNow = () => Date.now() } = options
  const keeping = keepingOf(options)
  const { watching: watched, directory } = await watchingOf(options, keeping)
  const id = createIds(ownNow)
  const current = watched.now()
  const { config } = current.workspace
  const isSent = !waitingIn(current.workspace, options.home).some(({ kind }) => kind === "otlp")
  const secrets = createSecrets(knownSecrets(config, options.env ?? process.env))
  const model = await (lent ? partModel(options, current, lent.model) : modelOf(options, current))
  const state = needsStateDirectory(keeping) ? await stateOf(options, current, ownNow) : undefined
  const files = state === undefined ? undefined : stateFiles(state)
  const damage = createDamageTeller()
  const opening = { now: ownNow, text: secrets.redact, onRepaired: damage.tell }
  const place = { path: files?.store, url: databaseOf(options, current) }
  const store = lent?.store ?? (await storeOf(keeping, place, opening))
  const now = store.ownClock === undefined ? ownNow : await storeClock(store.ownClock)
  const documents = await documentsOf(place.url, { keeping, files, watching: watched })
  const watching = documents === undefined ? watched : withDocuments(watched, documents.folder)
  const events = await openEventSinks({
    place: keeping.record && files !== undefined ? { url: place.url, path: files.record } : undefined,
    ...{ config, secrets, now, id, isSent },
    ...defined({ log: options.log, trouble: options.trouble }),
  })
  const operator = events.scope({ agent: current.workspace.id, trust: "full" })
  damage.listen((error) => operator.event("diagnostic", { level: "error", error }))
  return {
    ...{ options, watching, directory, now, id, secrets, keeping, state, files, store, events, model },
    documents,
    owner: enter(),
    limits: { ...LIMITS, ...options.limits },
  }
}

type Place = Pick<Opened, "watching" | "directory">

async function watchingOf(options: DescribedOptions, { memory: hasMemory }: Keeping): Promise<Place> {
  const { workspace, profile, agent } = options
  const given =
    options.directory === undefined
      ? undefined
      : realFolder(resolve(options.directory), "the working directory")
  if (workspace !== undefined) {
    const root = realFolder(resolve(workspace), "the workspace")
    const directory = given ?? root
    return { directory, watching: await watchWorkspace({ ...options, root, directory, hasMemory }) }
  }
  if (profile === undefined || typeof profile === "string")
    throw new IncipitError(
      "bad-option",
      "openAgent needs a workspace, the folder that describes the agent, or a prompt or profile object",
    )
  if (agent !== undefined)
    throw new IncipitError(
      "bad-option",
      `there is no agent "${agent}": without a workspace there is only one`,
    )
  const directory = given ?? process.cwd()
  return { directory, watching: withoutWorkspace({ ...options, profile, directory }) }
}

interface MaybePlace {
  readonly path: string | undefined
  readonly url: string | undefined
}

function storeOf(
  { store }: Keeping,
  { path, url }: MaybePlace,
  { onRepaired, ...options }: Required<Pick<StoreOptions, "now" | "text" | "onRepaired">>,
): AgentStore | Promise<AgentStore> {
  if (typeof store !== "string") return store
  const isFile = store === "file" && path !== undefined
  return isFile || url !== undefined
    ? openAgentStore({ url, path: path ?? ":memory:" }, { ...options, onRepaired })
    : openAgentStore({ path: ":memory:" }, options)
}

/** A variable of the machine counts for folders: a program without one says itself where its agent keeps anything. */
function databaseOf(options: DescribedOptions, { workspace }: Current): string | undefined {
  const { store, database: given, env = process.env, home } = options
  if (store !== undefined) return undefined
  if (options.workspace === undefined) return given
  return chosenDatabase({ given, env, workspace, home })
}

/** Throws if the database cannot be used: an agent without its memory would give wrong answers. */
async function documentsOf(
  url: string | undefined,
  { keeping, files, watching }: Pick<Opened, "keeping" | "files" | "watching">,
): Promise<SharedDocuments | undefined> {
  if (url === undefined || !keeping.memory || files === undefined) return undefined
  let folder: string | undefined
  const now = () => {
    const current = watching.now().workspace
    return folder === undefined ? current : { ...current, documents: folder }
  }
  // Imported here: few agents have a database.
  const { openWorkspaceDocuments } = await import("../../workspace/documents/open-documents.ts")
  const documents = await openWorkspaceDocuments(url, { files, workspace: now })
  folder = documents.folder
  await documents.catchUp({ trust: "full" })
  return documents
}

/** Buffers reports: the store is opened before there is anywhere to send them. */
function createDamageTeller() {
  const early: string[] = []
  let hear: (text: string) => void = (text) => void early.push(text)
  return {
    tell: (text: string) => hear(text),
    listen(listener: (text: string) => void) {
      hear = listener
      for (const text of early.splice(0)) listener(text)
    },
  }
}

/** There is nobody to ask here, so state that came with the folder stays where it is and the user is told. */
async function stateOf(options: AgentOptions, current: Current, now: () => number): Promise<string> {
  const { state, home, env, trouble = () => {} } = options
  const { root, isFolder } = current.workspace
  const opened = await openState({ workspace: root, state, home, env, now, warn: trouble })
  const text = opened.isNew && isFolder ? foundStateText(root) : undefined
  if (text !== undefined) trouble(text)
  return opened.folder
}

export async function modelOf(
  { model: wanted, env = process.env, home }: AgentOptions,
  { workspace }: Current,
): Promise<Model> {
  if (typeof wanted === "object") return wanted
  const { config } = workspace
  const waiting = waitingIn(workspace, home)
  const configured = env.INCIPIT_MODEL || config.model
  const choice = chooseModel({ wanted, configured, env, config, waiting })
  if (choice.kind === "model") return openModel(choice.id, { env, config })
  const standsFor = choice.id?.replace(/^offline\/?/, "")
  return {
    ...offlineModel(standsFor ? { standsFor } : {}),
    ...defined({ why: choice.why, missing: choice.missing }),
  }
}

/** The model in the further agent's own incipit.yaml, if it can be used; else the one of the delegating agent. */
async function partModel(options: AgentOptions, current: Current, lent: Model): Promise<Model> {
  if (current.workspace.own?.config.model === undefined) return lent
  const { model: _chosen, env = process.env, ...rest } = options
  const own = await modelOf({ ...rest, env: { ...env, INCIPIT_MODEL: undefined } }, current)
  return own.isOffline ? lent : own
}
