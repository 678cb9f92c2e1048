// The prompt that a sender's next message would get: compiled, but not sent, stored or recorded. `PromptSources` has no
// means to do so. Hooks are not called, since they may act.

import { defined } from "../../../base/defined.ts"
import { createCompiler } from "../../../core/compile/compiler.ts"
import { userMessage } from "../../../core/model/message.ts"
import type { SessionKey, StoredSession } from "../../../database/contract/sessions.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { FeedReader } from "../../feeds/feeding.ts"
import { checkedClientTools } from "../../inbox/message/client-tools.ts"
import { isSameKey } from "../../inbox/people.ts"
import type { SendOptions } from "../../setup/agent.ts"
import type { PromptSources } from "../../setup/prompt-sources.ts"
import { senderOf } from "../work.ts"
import { clientEdits } from "./client-instructions.ts"
import { gather } from "./gather.ts"
import type { GatheredTurn } from "./gathered-turn.ts"
import type { Inspected } from "./inspected.ts"
import { tailFormIn } from "./late-system.ts"
import { nestedContext, nestedEdits } from "./nested.ts"

export async function preview(
  sources: PromptSources,
  text: string,
  options: SendOptions,
): Promise<Inspected> {
  const { store, people, workspace, clock, conversation } = sources
  const clientTools = checkedClientTools(options.clientTools)
  const { files: _unsent, ...given } = options
  const message = { ...given, ...defined({ clientTools }), text }
  const key = people.keyOf(message)
  const session = (await known(store, key, options)) ?? unbegun(key, clock.now())
  const { state, baseline } = session
  const compiler = createCompiler({ profile: workspace.profile(), counter: o200k })
  const inHead = state.touchedInHead ?? 0
  const gathered = await gather(sources, { id: session.id, message, state, inHead }, compiler.view)
  const { budget, ttl, diagnostics } = gathered
  const head = compiler.head(gathered.agent, gathered.session, {
    ...{ budget, ttl, diagnostics, tailForm: tailFormIn(state, sources.models.current()) },
    edits: clientEdits(message),
    ...(baseline && { baseline }),
    ...(state.rebase !== undefined && { rebase: state.rebase }),
  })
  const messages = [...conversation.messagesOf(await store.transcripts.read(session.id)), userMessage(text)]
  const taken = conversation.tokens(messages, head.baseline.ratio.factor)
  const turn = {
    ...{ id: "preview", now: clock.now(), timeZone: clock.timeZone, message: text },
    planMode: options.planMode ?? state.planMode ?? false,
    inputs: {
      ...(await feedsOf(sources.feeding, { text, session, gathered, taken })).inputs,
      ...(await sources.inputs.turn?.({ session: session.id, from: senderOf(options), message: text })),
    },
  }
  const touched = (state.touched ?? []).slice(state.touchedInHead ?? 0)
  const edits = nestedEdits(nestedContext(sources, gathered.session, touched), workspace.directory, messages)
  const step = { conversationTokens: taken, edits, ...(state.sent && { sent: state.sent }) }
  const made = { prompt: head.step(turn, step), turn }
  return { ...gathered, ...made, profile: workspace.profile(), workspace: workspace.current() }
}

/** Reports another person's session as missing, so that its existence is not revealed. */
async function known(
  store: PromptSources["store"],
  key: SessionKey,
  { session, isNew }: SendOptions,
): Promise<StoredSession | undefined> {
  if (isNew === true) return undefined
  if (session === undefined) return store.sessions.current(key)
  const found = await store.sessions.get(session)
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

function feedsOf(feeding: FeedReader, { text, session, gathered, taken }: FeedInput) {
  const { window, reserve } = gathered.budget
  const remaining = window - reserve - taken
  return feeding.read({ message: text, session, gathered, remaining })
}
