// A chat in the Claude Agent SDK (`@anthropic-ai/claude-agent-sdk`): the head as its system prompt, and hooks that add turn
// context. The SDK shows no requests and keeps the conversation itself, so the chat keeps what the hooks tell of it. Imports
// nothing of the SDK.
import { type Diagnostic, sentence } from "../../base/diagnostic.ts"
import type { Message } from "../../core/model/message.ts"
import { guard } from "../../core/write/markup.ts"
import type { DefinedPrompt } from "../../prompt/define-prompt.ts"
import type { Target } from "../../prompt/formats.ts"
import type { ChatOptions } from "../../prompt/prompt-inputs.ts"
import {
  type HostedChat,
  type HostedWork,
  type HostOptions,
  openHosted,
  type PreparedCall,
  withHost,
} from "../host/hosted-chat.ts"
import {
  answerOf,
  batchOf,
  type ClaudeAgentHookAnswer,
  type ClaudeAgentHookInput,
  guardedOutput,
  wordsOf,
} from "./agent-hooks.ts"
import { type HeadLayout, layoutFor, ownVariables, type Variables } from "./head-layout.ts"
import { openEar } from "./heard-calls.ts"

/** A chat in the Claude Agent SDK. */
export interface ClaudeAgentChat<Session extends object> extends HostedChat<Session> {
  /**
   * The options of a `query`, with the system prompt and the hooks of this chat beside your own. Call it for each `query`:
   * it looks at `model`, and at `ANTHROPIC_BASE_URL` in `env`.
   */
  queryOptions<O extends ClaudeAgentOptions>(own: O): O & ClaudeAgentSettings
  /** What a person wrote, for `prompt` of a `query`, with imitations of the compiler's tags escaped. */
  words(text: string): string
  /** Takes each message of a `query`, for `onCall`. */
  take(message: object): void
  /** What is wrong, each once: how the SDK is set up, and words that were not sent. */
  readonly findings: readonly Diagnostic[]
}

/** Options of `query` that are looked at. */
export interface ClaudeAgentOptions {
  readonly model?: string
  readonly env?: Variables
  readonly hooks?: Readonly<Record<string, object[] | undefined>>
}

/** Options of `query` that the chat sets. */
export interface ClaudeAgentSettings {
  systemPrompt: { type: "custom"; prompt: string[]; snapshot: false }
  hooks: Record<ClaudeAgentEvent, { hooks: ClaudeAgentHook[] }[]>
}

/** The hooks that the chat has. */
export type ClaudeAgentEvent = "UserPromptSubmit" | "PostToolUse" | "PostToolBatch" | "Stop" | "SessionStart"

/** A hook of the SDK. */
export type ClaudeAgentHook = (input: ClaudeAgentHookInput) => Promise<ClaudeAgentHookAnswer>

/** Optional if there is nothing that must be passed. The SDK sets its own breakpoints, so there is no `ttl`. */
export type ClaudeAgentArguments<Turn extends object> = object extends Turn
  ? [options?: Omit<HostOptions<Turn>, "ttl">]
  : [options: Omit<HostOptions<Turn>, "ttl">]

/** Opens a chat of a prompt in the Claude Agent SDK. `session` is what `prompt.open` takes. */
export function openChat<Session extends object, Turn extends object>(
  prompt: DefinedPrompt<Session, Turn>,
  session: ChatOptions & NoInfer<Session>,
  ...[options]: ClaudeAgentArguments<NoInfer<Turn>>
): ClaudeAgentChat<Session> {
  // Without one of its optional keys.
  const work = openHosted(prompt, session, options as HostOptions<NoInfer<Turn>> | undefined)
  const desk = openDesk(work)
  return withHost(work.chat, {
    queryOptions: <O extends ClaudeAgentOptions>(own: O) => optionsFor(desk, own),
    words: (text: string) => guard(text),
    take: listener(desk),
    get findings() {
      return [...desk.findings.values()]
    },
  })
}

interface Prepared {
  readonly call: PreparedCall
  readonly startedAt: number
}

/** Calls in the order in which they were prepared, until they are heard of. */
type Queue = Prepared[]

/** What a chat knows about the SDK's side of it. */
interface Desk {
  readonly work: HostedWork<object>
  readonly findings: Map<string, Diagnostic>
  readonly prepared: Queue
  target: Target
  variables: Variables
  /** The system prompt of the newest query. */
  given: string
  /** The text of the head that the SDK's conversation has; undefined until it is known. */
  lead: string | undefined
  /** What happened since the newest call. */
  since: readonly Message[]
  /** Whether the SDK's conversation has lost its beginning. */
  isCut: boolean
}

function openDesk(work: HostedWork<object>): Desk {
  return {
    ...{ work, findings: new Map(), prepared: [], variables: {}, given: "", since: [], isCut: false },
    target: targetOf(undefined),
    lead: work.conversation().length > 0 ? undefined : "",
  }
}

function find(desk: Desk, finding: Diagnostic): string {
  const text = sentence(finding)
  desk.findings.set(text, finding)
  return text
}

function layoutNow({ work, target, variables }: Desk): HeadLayout {
  return layoutFor(work.head(target).blocks, variables)
}

async function contextOf(desk: Desk, added: readonly Message[]): Promise<string> {
  const startedAt = Date.now()
  const before = desk.isCut ? [] : desk.work.conversation()
  const messages = [...before, ...desk.since, ...added]
  const call = await desk.work.prepare({ target: desk.target, messages, tools: [] })
  desk.prepared.push({ call, startedAt })
  desk.since = []
  desk.isCut = false
  const { lead } = layoutNow(desk)
  const isNew = lead !== desk.lead
  desk.lead = lead
  return `${isNew ? lead : ""}${call.prompt.tail?.text ?? ""}`
}

function hooksOf(desk: Desk): Readonly<Record<ClaudeAgentEvent, ClaudeAgentHook>> {
  const { id } = desk.work.chat
  return {
    async UserPromptSubmit(input) {
      const text = wordsOf(input)
      if (guard(text) !== text)
        return { decision: "block", reason: find(desk, { code: "words-not-guarded", chat: id }) }
      if (keyOf(layoutNow(desk)) !== desk.given)
        return { decision: "block", reason: find(desk, { code: "head-not-sent", chat: id }) }
      // A call that was never heard of is not the one before this turn.
      desk.prepared.length = 0
      const context = await contextOf(desk, [{ role: "user", parts: [{ kind: "text", text }] }])
      return contextAnswer("UserPromptSubmit", context)
    },
    async PostToolUse(input) {
      const guarded = guardedOutput(input)
      if (guarded === undefined) return {}
      return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: guarded.output } }
    },
    async PostToolBatch(input) {
      const batch = batchOf(input)
      return batch.length === 0 ? {} : contextAnswer("PostToolBatch", await contextOf(desk, batch))
    },
    async Stop(input) {
      const answer = answerOf(input)
      if (answer) desk.since = [...desk.since, answer]
      return {}
    },
    async SessionStart(input) {
      const { source }: ClaudeAgentHookInput & { readonly source?: unknown } = { ...input }
      if (source !== "compact" && source !== "clear") return {}
      desk.since = []
      desk.isCut = true
      desk.lead = ""
      return {}
    },
  }
}

function optionsFor<O extends ClaudeAgentOptions>(desk: Desk, own: O): O & ClaudeAgentSettings {
  desk.target = targetOf(own.model)
  desk.variables = own.env ?? ownVariables()
  const now = layoutNow(desk)
  if (now.finding) find(desk, now.finding)
  desk.given = keyOf(now)
  desk.lead ??= now.lead
  const entries = Object.entries(hooksOf(desk)).map(([event, hook]) => {
    // A subagent has another prompt, and only tells of its own tools.
    const main: ClaudeAgentHook = async (input) =>
      input.agent_id !== undefined && event !== "PostToolUse" ? {} : hook(input)
    return [event, [...(own.hooks?.[event] ?? []), { hooks: [main] }]] as const
  })
  const settings = {
    // Recorded by the SDK, the head could not follow an audience that may see less.
    systemPrompt: { type: "custom", prompt: now.systemPrompt, snapshot: false },
    hooks: { ...own.hooks, ...Object.fromEntries(entries) },
  }
  // The entries are those of all events.
  return { ...own, ...settings } as O & ClaudeAgentSettings
}

function targetOf(model = DEFAULT_MODEL): Target {
  return { format: "anthropic", model: `anthropic/${model}` }
}

/** Of the SDK, as far as the rules for caching and counting are concerned. */
const DEFAULT_MODEL = "claude-sonnet-5-5"

function keyOf({ systemPrompt }: HeadLayout): string {
  return JSON.stringify(systemPrompt)
}

function contextAnswer(
  hookEventName: "UserPromptSubmit" | "PostToolBatch",
  additionalContext: string,
): ClaudeAgentHookAnswer {
  return additionalContext === "" ? {} : { hookSpecificOutput: { hookEventName, additionalContext } }
}

function listener({ work, prepared }: Desk): (message: object) => void {
  const ear = openEar()
  return (message) => {
    for (const { model, usage, endedAt } of ear.hear(message)) {
      const next = prepared.shift()
      if (next === undefined) return
      const { prompt, turnId, turn, step } = next.call
      const { startedAt } = next
      work.onCall?.({
        ...{ chat: work.chat.id, turnId, turn, step, model, prompt, request: undefined, usage },
        ...{ startedAt, endedAt },
      })
    }
  }
}
