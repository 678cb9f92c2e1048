// Messages on their way to the server. Each has a key, so that it can be sent again without being answered twice. Those
// that have arrived stay known: a conversation leaves out small talk, and what a provider refuses. The others outlive a
// reload of the page, in this tab.
import { effect, signal } from "@preact/signals"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import { askFor, problemText, Refusal } from "../../../data/ask.ts"
import { isConnected } from "../../../data/live.ts"
import { visibleName } from "../../../parts/visible-text.ts"
import { stale } from "../turns/live-turns.ts"
import { putBack } from "./drafts.ts"

export interface OutgoingFile {
  readonly mediaType: string
  /** base64 */
  readonly data: string
  readonly name: string
}

export interface Draft {
  /** Undefined for a new session. */
  readonly session: string | undefined
  readonly agent: string | undefined
  readonly text: string
  readonly files: readonly OutgoingFile[]
  readonly planMode: boolean | undefined
}

export interface Outgoing extends Draft {
  readonly key: string
  readonly at: number
  /** `ended`: without an answer, such as by a stop while it waited for another one. The server is done with its key. */
  readonly state: "sending" | "begun" | "failed" | "ended"
  /** Why it failed, or ended. */
  readonly problem: string | undefined
  /** The turn that answers it, once it has begun. */
  readonly turn: string | undefined
}

const KEY = "incipit-outbox"
export const FILES_GONE = "The files of this message are no longer there. Attach them again."

export const outbox = signal<readonly Outgoing[]>(storedMessages())

effect(() => {
  const kept = outbox.value.filter(({ state }) => state !== "begun")
  try {
    sessionStorage.setItem(
      KEY,
      JSON.stringify(kept, (name, value: unknown) => (name === "data" ? "" : value)),
    )
  } catch {
    // A browser may refuse storage; they then last until the page is left.
  }
})

/** Files are too large for the browser's storage: a message that had some is not sent without them. */
function storedMessages(): readonly Outgoing[] {
  try {
    // Written by this page.
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as readonly Outgoing[]
    return stored.map((one) =>
      one.files.length === 0 ? one : { ...one, files: [], state: "ended", problem: FILES_GONE },
    )
  } catch {
    return []
  }
}

/** Returns the session once the server has begun to answer; undefined if it could not be sent. */
export function send(draft: Draft): Promise<string | undefined> {
  const key = crypto.randomUUID()
  const sent: Outgoing = {
    ...draft,
    key,
    at: Date.now(),
    state: "sending",
    problem: undefined,
    turn: undefined,
  }
  outbox.value = [...recent(outbox.value), sent]
  return transmit(sent)
}

/** With the same key: if the server has the message already, it is not answered twice. What has ended gets a new one. */
export function sendAgain(sent: Outgoing): Promise<string | undefined> {
  if (sent.state === "ended") {
    discard(sent.key)
    return send(sent)
  }
  change(sent.key, { state: "sending", problem: undefined })
  return transmit(sent)
}

const MOST_BEGUN = 200

/** What is not sent is never forgotten. */
function recent(all: readonly Outgoing[]): readonly Outgoing[] {
  const old = new Set(all.filter(({ state }) => state === "begun").slice(0, -MOST_BEGUN))
  return all.filter((one) => !old.has(one))
}

/** Takes back what was not sent. */
export function discard(key: string): void {
  outbox.value = outbox.value.filter((one) => one.key !== key)
}

async function transmit(sent: Outgoing): Promise<string | undefined> {
  const abort = new AbortController()
  try {
    await whenConnected()
    const response = await askFor(pathOf(sent), {
      body: bodyOf(sent),
      headers: {
        ...{ accept: "text/event-stream", "idempotency-key": sent.key },
        // The clock of the prompt follows the browser.
        "x-incipit-time-zone": Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      signal: abort.signal,
    })
    const { session, turn, problem } = await firstEvent(response)
    if (problem === undefined) {
      // The server has what the files contain.
      const files = sent.files.map((file) => ({ ...file, data: "" }))
      change(sent.key, { state: "begun", session, turn, files })
    } else change(sent.key, { state: "ended", session, turn, problem })
    // It may have been answered before, or together with another message: the transcript has it.
    stale.value = new Set([...stale.value, session])
    return session
  } catch (error) {
    const { status = 0, code = "" } = error instanceof Refusal ? error : {}
    const problem = code === "not-found" ? NOT_YOURS : problemText(error)
    change(sent.key, { state: "failed", problem })
    // The page is left for the form.
    if (status === 401) {
      discard(sent.key)
      putBack(sent.session, sent)
    }
  } finally {
    // The turn goes on, and the live events tell the rest.
    abort.abort()
  }
  return undefined
}

interface Begun extends Pick<Reply, "session" | "turn"> {
  /** Why it has ended already. */
  readonly problem: string | undefined
}
type Reply = Extract<LiveEvent, { readonly kind: "turn-finished" }>["reply"]

/**
 * What the server says first of a message: that its turn begins, or how it ended; a warning may come before. Throws if it
 * says neither: what the server has accepted may still be lost before that, and a message that waits can be stopped.
 */
async function firstEvent({ body }: Response): Promise<Begun> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ""; ; ) {
    const { value = "", done = true } = (await reader?.read()) ?? {}
    text += value
    for (const [, data = ""] of text.matchAll(/^data: (.*)\n/gm)) {
      // The contract of `src/serve/api/sessions/send-routes.ts`.
      const event = JSON.parse(data) as LiveEvent | { readonly kind?: never; readonly error: Refusal }
      if (event.kind === "turn-started") return { ...event, problem: undefined }
      if (event.kind === "turn-finished") return { ...event.reply, problem: whyEnded(event.reply) }
      if (event.kind === undefined) throw new Refusal(200, event.error.code, event.error.message)
    }
    if (done) throw new Refusal(200, "failed", ENDED)
  }
}

/** Undefined if it was answered, or is still to be. What was stopped before its first step had waited. */
function whyEnded({ state, steps, text }: Reply): string | undefined {
  if (state === "failed") return visibleName(text)
  return state === "stopped" && steps === 0 ? "Stopped before it was answered." : undefined
}

const ENDED = "The server ended the connection before it began to answer."
const NOT_YOURS = "This session belongs to somebody else, or it no longer exists. Begin a new one."

function pathOf({ session }: Outgoing): string {
  return session === undefined ? "/api/sessions" : `/api/sessions/${encodeURIComponent(session)}/messages`
}

function bodyOf({ session, agent, text, files, planMode }: Outgoing): unknown {
  return {
    text,
    ...(session === undefined && agent !== undefined && { agent }),
    ...(files.length > 0 && { files }),
    ...(planMode !== undefined && { planMode }),
  }
}

function change(key: string, changed: Partial<Outgoing>): void {
  outbox.value = outbox.value.map((one) => (one.key === key ? { ...one, ...changed } : one))
}

const PATIENCE_MS = 3_000

/** So that the beginning of the answer is heard. Without a connection, the message is sent all the same. */
function whenConnected(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PATIENCE_MS)
  const stop = isConnected.subscribe((isOpen) => isOpen === true && resolve())
  return promise.finally(() => {
    clearTimeout(timer)
    stop()
  })
}
