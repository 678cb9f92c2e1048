// Runs hooks, module by module in order. A hook that fails loses its own effect and nothing else. The runner keeps no
// state between events.
import { atLeast, type Trust } from "../base/trust.ts"
import { type Edit, editFromWhole } from "../core/model/edit.ts"
import type { Message } from "../core/model/message.ts"
import {
  resourcesAnswer,
  type StartAnswer,
  startAnswer,
  toolCallAnswer,
  toolResultAnswer,
} from "./answers.ts"
import { type CallKit, callHook } from "./call.ts"
import { contextAnswer } from "./context-answer.ts"
import { frozenCopy } from "./frozen.ts"
import type {
  AuthoredMessage,
  BeforeAgentStart,
  ContextEvent,
  HookHost,
  HookName,
  Hooks,
  NamedHooks,
  ResourcesEvent,
  ToolCallEvent,
  ToolCallResult,
  ToolResultEvent,
  TurnEndEvent,
} from "./hooks.ts"

export interface HookRunnerOptions extends CallKit {
  /** In the order in which they run. */
  readonly hooks: readonly NamedHooks[]
}

/** The changes that modules want for one prompt. `rebase`: the text of a module that rewrote the whole prompt. */
export interface StartEffects {
  /** Edits with turn pace. */
  readonly edits: readonly Edit[]
  readonly messages: readonly AuthoredMessage[]
  readonly rebase?: { readonly by: string; readonly text: string }
}

/** The outcome for a tool call. `input` is as the last module left it. */
export interface CallEffects {
  readonly input: unknown
  readonly block?: { readonly by: string; readonly why: string }
}

export interface ResultEffects {
  readonly text: string
  readonly isError: boolean
}

/** A folder, absolute or relative to the workspace, and the module that named it. */
export interface FoundFolder {
  readonly by: string
  readonly path: string
}

export interface FoundResources {
  readonly skillFolders: readonly FoundFolder[]
  readonly promptFolders: readonly FoundFolder[]
}

export interface HookRunner {
  /** Whether any module has this hook. */
  has(hook: HookName): boolean
  beforeAgentStart(event: BeforeAgentStart, signal: AbortSignal): Promise<StartEffects>
  /** The messages to send: the event's own list if no module changes it. */
  context(event: ContextEvent, signal: AbortSignal): Promise<readonly Message[]>
  /** The first module that blocks ends the run. */
  toolCall(event: ToolCallEvent, signal: AbortSignal): Promise<CallEffects>
  toolResult(event: ToolResultEvent, signal: AbortSignal): Promise<ResultEffects>
  turnEnd(event: TurnEndEvent, signal: AbortSignal): Promise<void>
  resourcesDiscover(event: ResourcesEvent, signal: AbortSignal): Promise<FoundResources>
}

export function createHookRunner({ hooks, ...kit }: HookRunnerOptions): HookRunner {
  const run = <H extends HookName, S, T>(hook: H, signal: AbortSignal, steps: Steps<H, S, T>) =>
    chain({ modules: hooks, hook, signal, kit }, steps)
  return {
    has: (hook) => hooks.some((module) => module.hooks[hook] !== undefined),
    beforeAgentStart: async (event, signal) => {
      const { edits, messages, rebase } = await run("before_agent_start", signal, startSteps(event))
      return { edits: edits.map(({ edit }) => edit), messages, ...(rebase && { rebase }) }
    },
    context: (event, signal) =>
      run("context", signal, {
        start: event.messages,
        event: (messages) => ({ ...event, messages }),
        read: (answer) => contextAnswer(answer, event.messages),
        take: (messages, changed) => changed ?? messages,
      }),
    toolCall: (event, signal) => run("tool_call", signal, callSteps(event)),
    toolResult: (event, signal) =>
      run("tool_result", signal, {
        start: { text: event.text, isError: event.isError },
        event: (result) => ({ ...event, ...result }),
        read: toolResultAnswer,
        take: (result, changed) => ({ ...result, ...changed }),
      }),
    turnEnd: (event, signal) =>
      run("turn_end", signal, {
        start: undefined,
        event: () => event,
        read: () => undefined,
        take: () => undefined,
      }),
    resourcesDiscover: (event, signal) =>
      run("resources_discover", signal, {
        start: { skillFolders: [], promptFolders: [] },
        event: () => event,
        read: resourcesAnswer,
        take: (found: FoundResources, { skillFolders, promptFolders }, { name }) => ({
          skillFolders: [...found.skillFolders, ...skillFolders.map((path) => ({ by: name, path }))],
          promptFolders: [...found.promptFolders, ...promptFolders.map((path) => ({ by: name, path }))],
        }),
      }),
  }
}

type EventOf<H extends HookName> = Parameters<NonNullable<Hooks[H]>>[0]

/** How one hook handles a state that passes from module to module. */
interface Steps<H extends HookName, S, T> {
  readonly start: S
  readonly event: (state: S) => EventOf<H>
  /** Throws if the result is invalid. */
  readonly read: (answer: unknown, module: NamedHooks) => T
  readonly take: (state: S, answer: T, module: NamedHooks) => S
  /** Called when the hook fails or is stopped. Default: the state stays unchanged. */
  readonly fail?: (state: S, module: NamedHooks) => S
  readonly isOver?: (state: S) => boolean
}

interface Chain<H extends HookName> {
  readonly modules: readonly NamedHooks[]
  readonly hook: H
  readonly signal: AbortSignal
  readonly kit: CallKit
}

async function chain<H extends HookName, S, T>(
  { modules, hook, signal, kit }: Chain<H>,
  { start, event, read, take, fail, isOver }: Steps<H, S, T>,
): Promise<S> {
  let state = start
  for (const module of modules) {
    // The index type cannot express that a hook takes the event of its own name.
    const run = module.hooks[hook] as ((event: EventOf<H>, host: HookHost) => unknown) | undefined
    if (run === undefined) continue
    if (isOver?.(state)) break
    const given = frozenCopy(event(state))
    const answer = await callHook(
      {
        module,
        hook,
        session: "session" in given ? given.session.id : undefined,
        signal,
        run: (host) => run.call(module.hooks, given, host),
        read: (value) => ({ value: read(value, module) }),
      },
      kit,
    )
    if (answer !== undefined) state = take(state, answer.value, module)
    else if (fail !== undefined) state = fail(state, module)
  }
  return state
}

function callSteps(event: ToolCallEvent): Steps<"tool_call", CallEffects, ToolCallResult> {
  return {
    start: { input: event.input },
    event: ({ input }) => ({ ...event, input }),
    read: toolCallAnswer,
    take: (call, { block, input = call.input }, { name }) =>
      block === undefined ? { input } : { input: call.input, block: { by: name, why: block } },
    fail: (call, { name, guard }) =>
      guard === true ? { ...call, block: { by: name, why: `the guard ${name} failed to check it` } } : call,
    isOver: ({ block }) => block !== undefined,
  }
}

interface StartState extends Omit<StartEffects, "edits"> {
  readonly systemPrompt: string
  /** `isSeen`: later modules see its text in the prompt they receive. */
  readonly edits: readonly { readonly edit: Edit; readonly isSeen: boolean }[]
}

function startSteps(event: BeforeAgentStart): Steps<"before_agent_start", StartState, StartAnswer> {
  const has = event.session.audience.trust
  return {
    start: { systemPrompt: event.systemPrompt, edits: [], messages: [] },
    event: ({ systemPrompt }) => ({ ...event, systemPrompt }),
    read: startAnswer,
    take: (state, { edits, messages, systemPrompt }, module) => {
      const next = {
        ...state,
        edits: [...state.edits, ...edits.map((edit) => ({ edit, isSeen: false }))],
        // Edits are gated with everything else. A message is in no plan, so it is filtered here.
        messages: [...state.messages, ...messages.filter(({ trust = "public" }) => atLeast(has, trust))],
      }
      return systemPrompt === undefined ? next : withWhole(next, systemPrompt, module, has)
    },
  }
}

/** A whole prompt as its author returned it. Text that the session may not see is not passed to other modules. */
function withWhole(state: StartState, text: string, { name, trust }: NamedHooks, has: Trust): StartState {
  const edit = editFromWhole(state.systemPrompt, text, name)
  const isSeen = atLeast(has, trust ?? "public")
  const systemPrompt = isSeen ? text : state.systemPrompt
  if (edit === "none") return state
  if (edit !== "rebase") {
    const isBlank = text.slice(state.systemPrompt.length).trim() === ""
    const added = { edit: trust === undefined ? edit : { ...edit, trust }, isSeen }
    return { ...state, systemPrompt, edits: isBlank ? state.edits : [...state.edits, added] }
  }
  // A text without parts can only be withheld as a whole.
  if (!isSeen) return state
  // Text added to the prompt before is part of the new text, or was removed from it.
  return {
    ...state,
    systemPrompt,
    rebase: { by: name, text },
    edits: state.edits.filter((one) => !one.isSeen),
  }
}
