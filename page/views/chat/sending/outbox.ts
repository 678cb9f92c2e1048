// Messages on their way to the server. Each has a key, so that it can be sent again without being answered twice. Those
// that have arrived stay known: a conversation leaves out small talk, and what a provider refuses.
import { signal } from "@preact/signals"
import { askFor, problemText, Refusal } from "../../../data/ask.ts"
import { isConnected } from "../../../data/live.ts"
import { stale } from "../turns/live-turns.ts"

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
  readonly state: "sending" | "begun" | "failed"
  /** Why it failed. */
  readonly problem: string | undefined
  /** The turn that answers it, once it has begun. */
  readonly turn: string | undefined
}

export const outbox = signal<readonly Outgoing[]>([])

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

/** With the same key: if the server has the message already, it is not answered twice. */
export function sendAgain(sent: Outgoing): Promise<string | undefined> {
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
    const { headers } = await askFor(pathOf(sent), {
      body: bodyOf(sent),
      headers: {
        ...{ accept: "text/event-stream", "idempotency-key": sent.key },
        // The clock of the prompt follows the browser.
        "x-incipit-time-zone": Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      signal: abort.signal,
    })
    const [session, turn] = ["session", "turn"].map((name) => headers.get(`x-incipit-${name}`) ?? undefined)
    // The server has what the files contain.
    const files = sent.files.map((file) => ({ ...file, data: "" }))
    change(sent.key, { state: "begun", session, turn, files })
    // It may have been answered before, or together with another message: the transcript has it.
    if (session !== undefined) stale.value = new Set([...stale.value, session])
    return session
  } catch (error) {
    const problem = error instanceof Refusal && error.code === "not-found" ? NOT_YOURS : problemText(error)
    change(sent.key, { state: "failed", problem })
  } finally {
    // The turn goes on, and the live events tell the rest.
    abort.abort()
  }
  return undefined
}

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
