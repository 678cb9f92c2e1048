// Everything one can do in a conversation: send, change an earlier message, branch, send again, stop.
import { useEffect, useRef, useState } from "preact/hooks"
import { problemText, Refusal } from "../../../data/ask.ts"
import { go, place } from "../../../shell/place.ts"
import type { SaidEntry, ShownTurn } from "../turns/entry.ts"
import { stale } from "../turns/live-turns.ts"
import { fork, type SentMessage, sentMessage, stop } from "./branches.ts"
import { putBack } from "./drafts.ts"
import { type Editing, useEditing } from "./editing.ts"
import { type Draft, discard, FILES_GONE, type Outgoing, outbox, send, sendAgain } from "./outbox.ts"

export interface Sending {
  readonly editing: Pick<Editing, "edited" | "cancel">
  readonly planMode: boolean
  readonly problem: string | undefined
  readonly sendDraft: () => void
  readonly sayText: (text: string) => void
  /** Sends this and ends plan mode. */
  readonly carryOut: (plan: string) => void
  readonly repeat: (sent: Outgoing) => void
  /** Takes a message that could not be sent back into the field. */
  readonly takeBack: (sent: Outgoing) => void
  readonly edit: (turn: ShownTurn) => void
  readonly again: (turn: ShownTurn) => void
  /** A session of its own with everything before this turn; with all, without one. */
  readonly branchBefore: (turn: string | undefined) => void
  readonly stopWork: () => void
  readonly setPlanMode: (isOn: boolean) => void
}

/**
 * What was on its way when the page was loaded again. Leaving a page ends its requests, which then have failed. The server
 * may have the message already; it has the same key.
 */
for (const sent of outbox.value) if (sent.state !== "ended") void repeat(sent)

export function useSending(session: string | undefined, agent: string | undefined): Sending {
  const editing = useEditing(session)
  // By session; undefined leaves the mode of the session as it is.
  const [modes, setModes] = useState<Readonly<Record<string, boolean | undefined>>>({})
  const planMode = modes[session ?? ""]
  const setMode = (isOn: boolean | undefined, of = session) =>
    setModes((before) => ({ ...before, [of ?? ""]: isOn }))
  const busyIn = useRef<string | null | undefined>(null)
  const shown = useRef(session)
  shown.current = session
  const [problem, setProblem] = useState<string>()
  useEffect(() => setProblem(undefined), [session])
  const failed = (error: unknown) => setProblem(problemText(error))
  const say = async (text: string, files: Draft["files"], at?: string, mode = planMode): Promise<void> => {
    setProblem(undefined)
    const used = await begin({ session, agent, text, files, planMode: mode }, at)
    if (used === session || used === undefined) return
    // The mode was chosen for what became this session.
    setMode(mode, used)
    if (session === undefined) setMode(undefined)
  }
  /** A second click, while the first one is at work, would make a second branch. */
  const once = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (busyIn.current === session) return undefined
    busyIn.current = session
    try {
      return await work()
    } catch (error) {
      if (shown.current === session) failed(error)
      return undefined
    } finally {
      if (busyIn.current === session) busyIn.current = null
    }
  }
  /**
   * Uses the message of the turn as it was sent. The conversation has the text of a message, but not what its files
   * contain, so a message with files is read from the server first.
   */
  const withSent = async (turn: ShownTurn, use: (sent: SentMessage) => unknown) => {
    const { text, files } = saidIn(turn) ?? { text: "", files: [] }
    const { turn: id } = turn
    if (session === undefined || id === null || !hasFiles(text, files)) return use({ text, files: [] })
    const sent = await once(() => sentMessage(session, id).catch(ifGone))
    // It failed, or the reader has gone elsewhere.
    if (sent === undefined || shown.current !== session) return
    if (sent !== "gone") return use(sent)
    editing.begin({ text, files: [] }, storedTurn(turn))
    setProblem(FILES_GONE)
  }
  const edit = (turn: ShownTurn) => void withSent(turn, (sent) => editing.begin(sent, storedTurn(turn)))
  return {
    ...{ editing, edit, problem, setPlanMode: (isOn) => setMode(isOn), planMode: planMode === true },
    sendDraft() {
      const { draft, giveBack } = editing.take()
      say(draft.text, draft.files, editing.edited?.turn).catch((error: unknown) => {
        // The branch could not be made: nothing was sent, and nothing is lost.
        giveBack()
        failed(error)
      })
    },
    sayText: (text) => void say(text, []).catch(failed),
    carryOut(plan) {
      setMode(undefined)
      say(plan, [], undefined, false).catch(failed)
    },
    repeat: (sent) => void repeat(sent),
    takeBack(sent) {
      discard(sent.key)
      putBack(session, sent)
    },
    again: (turn) => void withSent(turn, ({ text, files }) => once(() => say(text, files, storedTurn(turn)))),
    branchBefore(turn) {
      if (session !== undefined)
        void once(() => fork(session, turn).then((made) => openSession(made.session)))
    },
    stopWork() {
      if (session !== undefined) stopIn(session).catch(failed)
    },
  }
}

/** `at`: the turn before which a branch begins. Returns the session that has the message; undefined if none has. */
async function begin(draft: Draft, at: string | undefined): Promise<string | undefined> {
  const { session } = draft
  if (session === undefined || at === undefined) return followed(session, await send(draft))
  const made = await fork(session, at)
  openSession(made.session)
  await send({ ...draft, session: made.session })
  return made.session
}

async function repeat(sent: Outgoing): Promise<void> {
  followed(sent.session, await sendAgain(sent))
}

/** A new session is shown once it has begun, unless the reader has gone elsewhere in the meantime. */
function followed(before: string | undefined, begun: string | undefined): string | undefined {
  const { view = "chat", session: now } = place.value
  if (before === undefined && begun !== undefined && view === "chat" && now === undefined)
    go({ session: begun, call: null, source: null }, { replace: true })
  return begun
}

function ifGone(error: unknown): "gone" {
  if (error instanceof Refusal && error.status === 404) return "gone"
  throw error
}

async function stopIn(session: string): Promise<void> {
  // What has ended already is read again.
  if ((await stop(session)) === 0) stale.value = new Set([...stale.value, session])
}

function openSession(session: string): void {
  go({ session, call: null, source: null })
}

/** Small talk that needed no model is not in the conversation, so there is nothing to branch from. */
function storedTurn({ turn, isStored }: ShownTurn): string | undefined {
  return isStored && turn !== null ? turn : undefined
}

/** Text files are in the text of a conversation. */
function hasFiles(text: string, { length }: SaidEntry["files"]): boolean {
  return length > 0 || text.endsWith("[end of the file]")
}

function saidIn({ entries }: ShownTurn): SaidEntry | undefined {
  return entries.find((entry) => entry.kind === "said")
}
