// The prompt that a sender's next message would get: compiled, but not sent, stored or recorded. `PromptSources` has no
// means to do so. Hooks are not called, since they may act.
import { createCompiler } from "../../core/compile/compiler.ts"
import { userMessage } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { SessionKey, StoredSession } from "../../database/contract/sessions.ts"
import { o200k } from "../../tokens/o200k.ts"
import { isSameKey, keyFor } from "../inbox/receive.ts"
import { messagesOf } from "../models/item-messages.ts"
import type { SendOptions } from "../setup/agent.ts"
import type { PromptSources } from "../setup/prompt-sources.ts"
import { conversationTokens } from "./compile.ts"
import { gather } from "./gather.ts"
import type { GatheredTurn } from "./gathered-turn.ts"
import { tailFormIn } from "./late-system.ts"
import { nestedContext, nestedEdits } from "./nested.ts"

export async function preview(runtime: PromptSources, text: string, options: SendOptions): Promise<Prompt> {
  const { store, now, timeZone } = runtime
  const message = { ...options, text }
  const key = keyFor(runtime, message)
  const session = (await known(runtime, key, options)) ?? unbegun(key, now())
  const { state, baseline } = session
  const gathered = await gather(runtime, { id: session.id, message, state }, state.touchedInHead ?? 0)
  const { budget, ttl, diagnostics } = gathered
  const head = createCompiler({ profile: runtime.profile, counter: o200k }).head(
    gathered.agent,
    gathered.session,
    {
      ...{ budget, ttl, diagnostics, tailForm: tailFormIn(state, runtime.model()) },
      ...(baseline && { baseline }),
      ...(state.rebase !== undefined && { rebase: state.rebase }),
    },
  )
  const messages = [...messagesOf(await store.transcripts.read(session.id)), userMessage(text)]
  const taken = conversationTokens(messages, head.baseline.ratio.factor)
  const turn = {
    ...{ id: "preview", now: now(), timeZone, message: text },
    planMode: options.planMode ?? state.planMode ?? false,
    inputs: (await feedsOf(runtime, { text, session, gathered, taken })).inputs,
  }
  const touched = (state.touched ?? []).slice(state.touchedInHead ?? 0)
  const edits = nestedEdits(nestedContext(runtime, gathered.session, touched), runtime.directory, messages)
  return head.step(turn, { conversationTokens: taken, edits, ...(state.sent && { sent: state.sent }) })
}

/** Reports another person's session as missing, so that its existence is not revealed. */
async function known(
  runtime: PromptSources,
  key: SessionKey,
  { session, isNew }: SendOptions,
): Promise<StoredSession | undefined> {
  if (isNew === true) return undefined
  if (session === undefined) return runtime.store.sessions.current(key)
  const found = await runtime.store.sessions.get(session)
  return found !== undefined && isSameKey(found, key) ? found : undefined
}

function unbegun(key: SessionKey, at: number): StoredSession {
  return { ...key, id: "new", createdAt: at, usedAt: at, baseline: undefined, state: {} }
}

interface FeedInput {
  readonly text: string
  readonly session: StoredSession
  readonly gathered: GatheredTurn
  readonly taken: number
}

function feedsOf(runtime: PromptSources, { text, session, gathered, taken }: FeedInput) {
  const { window, reserve } = gathered.budget
  const remaining = window - reserve - taken
  return runtime.feeding.read({ message: text, session, gathered, remaining })
}
