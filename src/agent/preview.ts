// The prompt as the next message of a sender would get it: compiled, but not sent, kept or recorded.
import { createCompiler } from "../core/compiler.ts"
import { userMessage } from "../core/message.ts"
import type { Prompt } from "../core/prompt.ts"
import { o200k } from "../tokens/o200k.ts"
import type { SendOptions } from "./agent.ts"
import { conversationTokens } from "./compile.ts"
import { gather } from "./gather.ts"
import { keyFor } from "./receive.ts"
import type { Runtime } from "./runtime.ts"
import { messagesOf } from "./transcript.ts"

export function preview(runtime: Runtime, text: string, options: SendOptions): Prompt {
  const { store } = runtime
  const message = { ...options, text }
  const stored =
    options.session === undefined || options.session === "new"
      ? store.currentSession(keyFor(runtime, message))
      : store.session(options.session)
  const known = options.session === "new" ? undefined : stored
  const state = known?.state ?? {}
  const { agent, session, budget, ttl, diagnostics } = gather(
    runtime,
    { id: known?.id ?? "new", message, state },
    state.touchedInHead ?? 0,
  )
  const head = createCompiler({ profile: runtime.profile, counter: o200k }).head(agent, session, {
    ...{ budget, ttl, diagnostics },
    ...(known?.baseline && { baseline: known.baseline }),
    ...(state.rebase !== undefined && { rebase: state.rebase }),
  })
  const messages = [...(known === undefined ? [] : messagesOf(store.items(known.id))), userMessage(text)]
  return head.step(
    {
      id: "preview",
      now: runtime.now(),
      timeZone: runtime.timeZone,
      message: text,
      planMode: options.planMode ?? state.planMode ?? false,
    },
    {
      conversationTokens: conversationTokens(messages, head.baseline.ratio.factor),
      ...(state.told && { told: state.told }),
    },
  )
}
